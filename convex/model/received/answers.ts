/**
 * Owns: how the collector answers: the headers that let any page send, and the one that says what became of a hit.
 * Not: what becomes of it.
 */
import { callerErrorData } from "../../errors.ts";
import type { EngagementOutcome } from "../engagement/shapes.ts";
import type { ViewOutcome } from "../shapes.ts";

/** `counted`, `duplicate`, or `filtered; <reason>`. */
const OUTCOME_HEADER = "X-Footfall";

/** Any site may send beacons, and nobody can read anything with one but what became of it. */
export const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Expose-Headers": OUTCOME_HEADER,
  "Access-Control-Max-Age": "86400",
};

export function outcomeHeader(outcome: ViewOutcome | EngagementOutcome): Record<string, string> {
  const isFiltered = outcome.outcome === "filtered";
  return { [OUTCOME_HEADER]: isFiltered ? `filtered; ${outcome.reason}` : outcome.outcome };
}

/** The answer of `work`; one sentence when the sender is at fault. What is our fault stays an error. */
export async function answered(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const fault = callerErrorData(error);
    if (fault === null) throw error;
    return sentence(400, fault.message, CORS);
  }
}

export function sentence(
  status: number,
  text: string,
  more: Record<string, string> = {},
): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", ...more };
  return new Response(`${text}\n`, { status, headers });
}
