/** Owns: the message ActionResponse. */
import { encodeFailure, type FailureOnWire } from "./failure.ts";

export type ActionResponse = { readonly requestId: number } & (
  | { readonly ok: true; readonly valueJson: string; readonly logLines: readonly string[] }
  | FailureOnWire
);

export function encodeActionResponse(response: ActionResponse): string {
  const head = `{"type":"ActionResponse","requestId":${response.requestId}`;
  if (!response.ok) return `${head},${encodeFailure(response)}}`;
  return `${head},"success":true,"result":${response.valueJson},"logLines":${JSON.stringify(response.logLines)}}`;
}
