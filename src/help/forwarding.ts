/** Owns: what it means from where the server believes a request to come: does the proxy forward addresses? Not: asking it (AddressStep.tsx). */

/** As `GET /v1/sender` answers (convex/model/received/sender.ts). */
export type Sender = {
  readonly address: string | null;
  readonly isPublic: boolean;
  readonly forwardedFor: readonly string[];
};

export function isSender(said: unknown): said is Sender {
  if (typeof said !== "object" || said === null) return false;
  if (!("address" in said && "isPublic" in said && "forwardedFor" in said)) return false;
  const { address, isPublic, forwardedFor } = said;
  return (
    (address === null || typeof address === "string") &&
    typeof isPublic === "boolean" &&
    Array.isArray(forwardedFor) &&
    forwardedFor.every((entry) => typeof entry === "string")
  );
}

export type Forwarding =
  /** The believed address is one that a visitor can have. `isForwarded`: a proxy said it. */
  | { readonly kind: "fine"; readonly address: string; readonly isForwarded: boolean }
  /** Browser and server are on one machine or network: that says nothing of visitors yet. */
  | { readonly kind: "local"; readonly address: string }
  /** Proxies are trusted, and none of them forwards. */
  | { readonly kind: "unknown" }
  /** A proxy forwards, and the server does not believe it. */
  | { readonly kind: "unbelieved"; readonly address: string; readonly proxies: number }
  /** Everybody has the address of the proxy. */
  | { readonly kind: "hidden"; readonly address: string };

/** `host`: the name at which the page reached the server. */
export function forwardingOf(
  { address, isPublic, forwardedFor }: Sender,
  host: string,
): Forwarding {
  if (address === null) return { kind: "unknown" };
  if (forwardedFor.includes(address)) {
    if (isPublic) return { kind: "fine", address, isForwarded: true };
    return isNear(host) ? { kind: "local", address } : { kind: "hidden", address };
  }
  // A browser sends no such header by itself, so each entry is of a proxy.
  if (forwardedFor.length > 0) {
    return { kind: "unbelieved", address, proxies: forwardedFor.length };
  }
  if (isPublic) return { kind: "fine", address, isForwarded: false };
  return isNear(host) ? { kind: "local", address } : { kind: "hidden", address };
}

const NEAR =
  /^(localhost|.*\.(localhost|local|internal|lan)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|\[.*\]|[^.]+)$/i;

/** A name of this machine or of the network that it stands in. */
export function isNear(host: string): boolean {
  return NEAR.test(host);
}
