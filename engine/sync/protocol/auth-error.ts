/** Owns: the message AuthError: a refused Authenticate, or a token that has expired. The client drops it, or fetches a new one. */

export type AuthError = {
  readonly error: string;
  readonly baseVersion: number;
  /** Whether an Authenticate was refused; false: what held before has expired. */ readonly authUpdateAttempted: boolean;
};

export function encodeAuthError(fields: AuthError): string {
  return JSON.stringify({ type: "AuthError", ...fields });
}
