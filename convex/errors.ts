/**
 * Owns: the closed list of errors that a caller can see, and how one is thrown.
 * Not: expected outcomes (those are return values) or our own bugs (those are assertions).
 */
import { ConvexError } from "convex/values";

export type ErrorCode =
  /** The session id is empty, too long, or has characters other than printable ASCII. */
  | "invalid_session_id"
  /** The event id or watcher id breaks the same rule. */
  | "invalid_id"
  /** No site with that slug exists here. */
  | "unknown_site"
  /** A setting of a site is not valid: its slug, name, a host, a number or a path rule. */
  | "invalid_site"
  /** A site with that slug exists already. */
  | "site_exists"
  /** The host belongs to another site. */
  | "host_taken"
  /** The range of a report is empty, too long, or names a day that does not exist. */
  | "invalid_range"
  /** A report that there is not, or parameters that are not those of it. */
  | "invalid_question"
  /** A filter, or a segment's name, that is none, or that asks for too much. */
  | "invalid_filter"
  /** More new filters than a site makes at once. */
  | "too_many_filters"
  /** The name is no IANA time zone that this deployment knows. */
  | "invalid_time_zone"
  | "invalid_country_header"
  /** No key with that id exists, or the site has too many. */
  | "invalid_key"
  /** What an operator says of the hits to be counted, or to be counted no more, names none or is not understood. */
  | "invalid_criteria"
  /** A hit that came over HTTP is not what the collector understands. */
  | "invalid_beacon"
  /** A custom event has no name, or a property is neither text nor number nor truth value. */
  | "invalid_event"
  /** An annotation without text, of no day or moment, one too many, or one that there is not. */
  | "invalid_annotation"
  /** The site's statistics are not public: a token is missing or opens nothing, or they are for operators alone. */
  | "not_allowed"
  /** The token shows one segment alone, and what it asks for is not told of one. */
  | "not_of_segment"
  /** The token is right, and wants a password (tokens:unlock). */
  | "password_wanted"
  /** More passwords were tried for a token than a person types. */
  | "too_many_tries"
  /** A post or page to be synced is incomplete or appears twice. */
  | "invalid_content";

/** Codes with what they mean are listed above; the message says what, got, wanted and the way out. */
export type CallerErrorData = { code: ErrorCode; message: string };

export function callerError(code: ErrorCode, message: string): ConvexError<CallerErrorData> {
  return new ConvexError({ code, message });
}

/** What the caller is told of an error; null when it is not the caller's fault. */
export function callerErrorData(error: unknown): { code: string; message: string } | null {
  if (!(error instanceof ConvexError)) return null;
  const data: unknown = error.data;
  const isCoded = typeof data === "object" && data !== null && "code" in data && "message" in data;
  return isCoded ? { code: String(data.code), message: String(data.message) } : null;
}

/** UTF-16 units of what a caller sent that a message repeats. */
const MAX_QUOTED_LENGTH = 64;

/** What the caller sent as JSON, so on one line, and cut, to stand in a message. */
export function quoted(sent: unknown): string {
  const shown = typeof sent === "string" ? sent.slice(0, MAX_QUOTED_LENGTH) : sent;
  return JSON.stringify(shown)?.slice(0, 2 * MAX_QUOTED_LENGTH) ?? "missing";
}
