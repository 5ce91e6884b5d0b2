/**
 * Owns: what the doors accept as a custom event.
 * Not: what a name or a property may be (domain/events.ts), or what is done with it (record.ts).
 */
import {
  eventName,
  eventProperties,
  isInteractiveByName,
  packProperties,
} from "../../../domain/events.ts";
import type { GivenValue } from "../../../domain/events.ts";
import { callerError, quoted } from "../../errors.ts";
import { acceptHit } from "../arguments.ts";
import type { Hit, SentEvent } from "../arguments.ts";

type ListedProperty = { key: string; value: GivenValue };

export type EventArguments = {
  sessionId: string;
  path: string;
  name: string;
  properties?: Record<string, GivenValue> | readonly ListedProperty[];
  isInteractive?: boolean | undefined;
  eventId?: string | undefined;
};

/** As it will be stored: normalised and clamped. Throws `invalid_session_id`, `invalid_id` or `invalid_event`. */
export function acceptEvent(args: EventArguments): Hit & { event: SentEvent } {
  const { sessionId, path, eventId } = args;
  const hit = acceptHit({ sessionId, path, eventId, pageType: "" });
  const name = eventName(args.name);
  if (name === "") {
    const got = quoted(args.name);
    throw callerError("invalid_event", `"name" is ${got}; wanted what happened, such as "signup".`);
  }
  const properties = packProperties(eventProperties(listOf(args.properties ?? [])));
  const isInteractive = args.isInteractive ?? isInteractiveByName(name);
  return { ...hit, event: { name, properties, isPassive: isInteractive ? undefined : true } };
}

function listOf(given: NonNullable<EventArguments["properties"]>): [string, GivenValue][] {
  return isList(given) ? given.map(({ key, value }) => [key, value]) : Object.entries(given);
}

function isList(
  given: NonNullable<EventArguments["properties"]>,
): given is readonly ListedProperty[] {
  return Array.isArray(given);
}
