/** Owns: the message Event: what a client tells about itself (connection timings). It is read and forgotten. */
import { readString, type Fields } from "./fields.ts";

const MAX_EVENT_TYPE_CHARACTERS = 256;

export type Event = { readonly type: "Event"; readonly eventType: string };

export function parseEvent(fields: Fields): Event {
  return { type: "Event", eventType: readString(fields, "eventType", MAX_EVENT_TYPE_CHARACTERS) };
}
