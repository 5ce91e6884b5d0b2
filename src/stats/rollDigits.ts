/** Owns: which characters of a number change when it does. Not: how they move (stats.css). */

export type Digit = {
  readonly is: string;
  /** Null where nothing changes. */ readonly was: string | null;
};

/** Aligned from the right, as numbers are: 99 to 100 rolls two digits and adds one. */
export function rollDigits(was: string, is: string): Digit[] {
  return Array.from(is, (character, index) => {
    const before = was[was.length - is.length + index] ?? "";
    return { is: character, was: before === character ? null : before };
  });
}
