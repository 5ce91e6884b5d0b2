/**
 * Owns: what a row of `events` says to a roll-up.
 * Not: what a roll-up makes of it (domain/rollups/event.ts).
 */
import { unpackValues } from "../../../domain/dimensions/packed.ts";
import { unpackProperties } from "../../../domain/events.ts";
import { assertConsistentEvent } from "../../../domain/rollups/event.ts";
import type { LoggedEvent } from "../../../domain/rollups/event.ts";
import { IN_NO_VISIT } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";

/** Throws on a row that cannot be counted. */
export function loggedEventOf(row: Doc<"events">): LoggedEvent {
  const event = {
    at: row.timestamp,
    name: row.name,
    properties: unpackProperties(row.properties),
    nameLastSeenAt: row.nameLastSeenAt ?? null,
    isOfNobody: row.visitSequence === IN_NO_VISIT,
    visit: visitOf(row),
  };
  assertConsistentEvent(event);
  return event;
}

function visitOf(row: Doc<"events">): LoggedEvent["visit"] {
  const { visitSequence, lastActiveAt, previousPath } = row;
  if (visitSequence === undefined || visitSequence === IN_NO_VISIT) return null;
  if (lastActiveAt === undefined || previousPath === undefined) {
    throw new Error(`Event ${row._id} is in a visit and does not say where or since when.`);
  }
  const values = unpackValues(row.dimensions ?? "");
  return { visitSequence, lastActiveAt, previousPath, values };
}

/** False for a row that the worker puts aside, whether it has done so yet or not. */
export function isCountableEvent(row: Doc<"events">): boolean {
  if (row.quarantined === true) return false;
  try {
    loggedEventOf(row);
    return true;
  } catch {
    return false;
  }
}
