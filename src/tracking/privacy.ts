/**
 * Owns: what a page keeps and says where nothing may be kept: of a reader who asks not to be tracked, and on a site that
 * tells visitors apart by day or not at all. For the hook; the script does it in fewer bytes (script.ts).
 * Not: what the server counts then, which knows the site's mode by itself (convex/model/identity.ts).
 */
import type { VisitorMode } from "../../domain/visitor-modes.ts";
import type { Transport } from "./hook-tracker.ts";
import type { Visitor } from "./visitor.ts";

/** The part of `navigator` that says what its reader asks for. */
export type AskingNavigator = {
  readonly doNotTrack?: string | null;
  readonly globalPrivacyControl?: boolean;
};

/** Do Not Track, Global Privacy Control. */
export function isPrivacyAsked({ doNotTrack, globalPrivacyControl }: AskingNavigator): boolean {
  return doNotTrack === "1" || globalPrivacyControl === true;
}

export type Keeping = {
  /** Nothing outlives the page. */
  isPassing: boolean;
  /** Each view is one of nobody, so nobody is online by it. */
  isOfNobody: boolean;
};

export function keepingOf(mode: VisitorMode | undefined, isPrivate: boolean): Keeping {
  const isPassing = isPrivate || (mode ?? "browser") !== "browser";
  return { isPassing, isOfNobody: isPrivate || mode === "none" };
}

/** Somebody who is never the same: each message has an id of its own, at which the server does not look. */
export function passingVisitor(known: Visitor, newId: () => string): Visitor {
  return { sessionId: newId, hasOptedOut: () => known.hasOptedOut() };
}

/** Nobody beats, and nobody leaves: the server would do nothing about it. */
export function withoutPresence(transport: Transport): Transport {
  return { ...transport, beat: () => {}, leave: () => {} };
}
