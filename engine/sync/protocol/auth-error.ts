/** Owns: the message AuthError: a refused Authenticate. The client drops its token, or fetches a new one. */

export type AuthError = { readonly error: string; readonly baseVersion: number };

export function encodeAuthError({ error, baseVersion }: AuthError): string {
  return JSON.stringify({ type: "AuthError", error, baseVersion, authUpdateAttempted: true });
}
