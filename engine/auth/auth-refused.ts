/** Owns: a credential that was offered and does not hold. `code` is what Convex's CLI and clients look at. */
export class AuthRefused extends Error {
  override name = "AuthRefused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
