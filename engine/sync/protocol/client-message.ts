/**
 * Owns: telling the messages of a client apart. Each kind is parsed in a file of its own.
 * Not: what a message does (session.ts).
 */
import { parseForeignJson } from "../../values/foreign-json.ts";
import { parseAction, type Action } from "./action.ts";
import { parseAuthenticate, type Authenticate } from "./authenticate.ts";
import { parseConnect, type Connect } from "./connect.ts";
import { parseEvent, type Event } from "./event.ts";
import { isFields, ProtocolError } from "./fields.ts";
import { parseModifyQuerySet, type ModifyQuerySet } from "./modify-query-set.ts";
import { parseMutation, type Mutation } from "./mutation.ts";

export type ClientMessage = Connect | ModifyQuerySet | Mutation | Action | Authenticate | Event;

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch (cause) {
    throw new ProtocolError(`A message is not JSON: ${String(cause)}`, { cause });
  }
}

/** Throws a ProtocolError for anything that no official client sends. */
export function parseClientMessage(text: string): ClientMessage {
  const fields = parseJson(text);
  if (!isFields(fields)) throw new ProtocolError("A message is not a JSON object.");
  switch (fields["type"]) {
    case "Connect":
      return parseConnect(fields);
    case "ModifyQuerySet":
      return parseModifyQuerySet(fields);
    case "Mutation":
      return parseMutation(fields);
    case "Action":
      return parseAction(fields);
    case "Authenticate":
      return parseAuthenticate(fields);
    case "Event":
      return parseEvent(fields);
    default: {
      const type = JSON.stringify(fields["type"])?.slice(0, 60) ?? "none";
      throw new ProtocolError(
        `Message type ${type} is unknown here. Known: Connect, Authenticate, ModifyQuerySet, Mutation, Action, Event.`,
      );
    }
  }
}
