/** Owns: the message MutationResponse. The client settles the mutation only at the next Transition that reaches `ts`. */
import { encodeFailure, type FailureOnWire } from "./failure.ts";
import { encodeTimestamp } from "./timestamp.ts";

export type MutationResponse = { readonly requestId: number } & (
  | {
      readonly ok: true;
      readonly valueJson: string;
      readonly commitTs: bigint;
      readonly logLines: readonly string[];
    }
  | FailureOnWire
);

export function encodeMutationResponse(response: MutationResponse): string {
  const head = `{"type":"MutationResponse","requestId":${response.requestId}`;
  if (!response.ok) return `${head},${encodeFailure(response)}}`;
  const { valueJson, commitTs, logLines } = response;
  return `${head},"success":true,"result":${valueJson},"ts":"${encodeTimestamp(commitTs)}","logLines":${JSON.stringify(logLines)}}`;
}
