/**
 * Owns: what the doors accept from outside: which ids are valid, what is clamped.
 * Not: what is done with it.
 */
import { MAX_ID_LENGTH, MAX_PAGE_TYPE_LENGTH, MAX_TITLE_LENGTH } from "../../domain/limits.ts";
import { normalisePath } from "../../domain/path.ts";
import { clampLine } from "../../domain/text.ts";
import { callerError } from "../errors.ts";
import type { ErrorCode } from "../errors.ts";

/** Printable ASCII without spaces: what every id generator makes, and nothing that two encodings could confuse. */
const ID = /^[!-~]+$/;

export type ViewArguments = {
  path: string;
  pageType: string;
  sessionId: string;
  title?: string | undefined;
  eventId?: string | undefined;
};

/** A view as it will be stored: normalised and clamped. Throws `invalid_session_id` or `invalid_id`. */
export type Hit = {
  path: string;
  pageType: string;
  sessionId: string;
  title: string | undefined;
  eventId: string | undefined;
  /** Of a custom event alone. */
  event?: SentEvent;
};

/** What a custom event says besides, as it is kept. */
export type SentEvent = {
  name: string;
  properties: string | undefined;
  isPassive: true | undefined;
};

export function acceptHit(args: ViewArguments): Hit {
  return {
    sessionId: acceptSessionId(args.sessionId),
    eventId: args.eventId === undefined ? undefined : acceptId("eventId", args.eventId),
    path: normalisePath(args.path),
    pageType: clampLine(args.pageType, MAX_PAGE_TYPE_LENGTH) || "page",
    title: clampLine(args.title ?? "", MAX_TITLE_LENGTH) || undefined,
  };
}

export function acceptSessionId(sessionId: string): string {
  return acceptAs("invalid_session_id", "sessionId", sessionId);
}

export function acceptId(name: string, id: string): string {
  return acceptAs("invalid_id", name, id);
}

function acceptAs(code: ErrorCode, name: string, id: string): string {
  if (id.length <= MAX_ID_LENGTH && ID.test(id)) return id;
  const wanted = `1 to ${MAX_ID_LENGTH} printable ASCII characters without spaces`;
  throw callerError(
    code,
    `${name} is not valid: got ${describe(id)}, wanted ${wanted}. A random UUID per browser is right.`,
  );
}

function describe(id: string): string {
  if (id === "") return "an empty string";
  if (id.length > MAX_ID_LENGTH) return `${id.length} characters`;
  return "spaces, control or non-ASCII characters";
}
