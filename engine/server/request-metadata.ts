/**
 * Owns: where a request came from. Not: keeping it; the address is handed through and never stored.
 *
 * A visitor can write any X-Forwarded-For, so an entry counts only when a proxy of ours wrote it: the one that is
 * as far from the right as there are trusted proxies. Without trusted proxies the header is not looked at.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import type { RequestMetadata } from "../application.ts";
import { REQUEST_ID_BYTES } from "../application/calls.ts";
import { randomBytesFromPool } from "../application/random-pool.ts";

export function newRequestId(): string {
  return Buffer.from(randomBytesFromPool(REQUEST_ID_BYTES)).toString("hex");
}

/** IPv4 inside IPv6, as dual-stack sockets report it, is IPv4. */
function plainAddress(address: string | undefined): string | null {
  if (address === undefined) return null;
  const plain = address
    .trim()
    .replace(/^::ffff:(?=\d+\.)/i, "")
    .replace(/%.*$/, "");
  return isIP(plain) === 0 ? null : plain;
}

function clientAddress(
  headers: IncomingHttpHeaders,
  socketAddress: string | undefined,
  trustedProxies: number,
): string | null {
  if (trustedProxies === 0) return plainAddress(socketAddress);
  const header = headers["x-forwarded-for"];
  const entries = (Array.isArray(header) ? header.join(",") : (header ?? "")).split(",");
  // A proxy that forwards nothing would make everybody one visitor: unknown is the truth.
  return plainAddress(entries[entries.length - trustedProxies]);
}

export function requestMetadata(
  headers: IncomingHttpHeaders,
  socketAddress: string | undefined,
  trustedProxies: number,
): RequestMetadata {
  return {
    requestId: newRequestId(),
    ip: clientAddress(headers, socketAddress, trustedProxies),
    userAgent: headers["user-agent"] ?? null,
  };
}
