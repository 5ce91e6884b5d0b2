/**
 * Owns: the shape in which arrows.ts and smells.ts say what is wrong and where.
 * Not: what is wrong.
 */
export type Offence = { readonly file: string; readonly line: number; readonly message: string };
