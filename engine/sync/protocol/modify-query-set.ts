/** Owns: the message ModifyQuerySet: which queries a client wants to follow from now on. */
import { parseFunctionCall, type FunctionCall } from "./function-call.ts";
import {
  isFields,
  ProtocolError,
  readCount,
  readList,
  readOptionalString,
  refuse,
  type Fields,
} from "./fields.ts";

/** A client that reconnects sends all its queries in one message, so this bounds a client's queries too. */
export const MAX_MODIFICATIONS = 4096;
/** A journal is a cursor: the index key at which a page ends. */
const MAX_JOURNAL_CHARACTERS = 32_768;

export type AddQuery = {
  readonly type: "Add";
  readonly queryId: number;
  readonly journal: string | null;
} & FunctionCall;
export type RemoveQuery = { readonly type: "Remove"; readonly queryId: number };

export type ModifyQuerySet = {
  readonly type: "ModifyQuerySet";
  readonly baseVersion: number;
  readonly newVersion: number;
  readonly modifications: readonly (AddQuery | RemoveQuery)[];
};

function parseModification(value: unknown): AddQuery | RemoveQuery {
  if (!isFields(value)) return refuse("modifications", value, "objects");
  const queryId = readCount(value, "queryId");
  switch (value["type"]) {
    case "Add":
      return {
        type: "Add",
        queryId,
        journal: readOptionalString(value, "journal", MAX_JOURNAL_CHARACTERS),
        ...parseFunctionCall(value),
      };
    case "Remove":
      return { type: "Remove", queryId };
    default:
      return refuse("modifications.type", value["type"], '"Add" or "Remove"');
  }
}

export function parseModifyQuerySet(fields: Fields): ModifyQuerySet {
  const baseVersion = readCount(fields, "baseVersion");
  const newVersion = readCount(fields, "newVersion");
  if (newVersion <= baseVersion) {
    throw new ProtocolError(
      `The new version ${newVersion} of the query set must be above its base ${baseVersion}.`,
    );
  }
  const modifications = readList(fields, "modifications", MAX_MODIFICATIONS).map(parseModification);
  return { type: "ModifyQuerySet", baseVersion, newVersion, modifications };
}
