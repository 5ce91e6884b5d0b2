/** Owns: the message FatalError. It ends a client for good, so it is for broken protocol only. */

export function encodeFatalError(error: string): string {
  return JSON.stringify({ type: "FatalError", error });
}
