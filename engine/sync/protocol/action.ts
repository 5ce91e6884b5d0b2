/** Owns: the message Action. A client never resends one: after a lost connection it counts as failed. */
import { parseFunctionCall, type FunctionCall } from "./function-call.ts";
import { readCount, type Fields } from "./fields.ts";

export type Action = { readonly type: "Action"; readonly requestId: number } & FunctionCall;

export function parseAction(fields: Fields): Action {
  return {
    type: "Action",
    requestId: readCount(fields, "requestId"),
    ...parseFunctionCall(fields),
  };
}
