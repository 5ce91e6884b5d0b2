/** Owns: the message Mutation. `requestId` with the session's id names it, so that a resend does not run it twice. */
import { parseFunctionCall, type FunctionCall } from "./function-call.ts";
import { readCount, type Fields } from "./fields.ts";

export type Mutation = { readonly type: "Mutation"; readonly requestId: number } & FunctionCall;

export function parseMutation(fields: Fields): Mutation {
  return {
    type: "Mutation",
    requestId: readCount(fields, "requestId"),
    ...parseFunctionCall(fields),
  };
}
