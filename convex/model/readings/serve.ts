/**
 * Owns: `GET /v1/stats/<report>`: a report as JSON, for whoever may read it, exact at the moment it is asked for.
 * Not: what is asked (request.ts) and answered (readings.ts).
 *
 * The token comes in a header and never in the address, which proxies and logs keep. Any page may read what its reader
 * has a token for, and what is public.
 */
import { internal } from "../../_generated/api.js";
import type { ActionCtx } from "../../_generated/server.js";
import { callerErrorData } from "../../errors.ts";
import { readingOf } from "./request.ts";
import type { Answer, Reading } from "./shapes.ts";

export const READINGS_PATH = "/v1/stats/";

/** Calls that settle the rest before an answer; a site that is further behind answers with what it has counted. */
const MAX_SETTLING_CALLS = 20;

/** Calls that count what is missing of a filter, some thousand rows of the log each; of more, `progress` says how many days there are. */
const MAX_MAKING_CALLS = 20;

/** So that a page that many read does not ask for each of them. */
const PUBLIC_FOR_SECONDS = 10;

const READING_CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization",
  "Access-Control-Max-Age": "86400",
};

const STATUS_OF: Readonly<Record<string, number>> = {
  unknown_site: 404,
  not_allowed: 401,
  password_wanted: 401,
  not_of_segment: 403,
  too_many_filters: 429,
};

type Reader = { site?: string; token?: string };

export function preflight(): Response {
  return new Response(null, { status: 204, headers: READING_CORS });
}

export async function serve(ctx: ActionCtx, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const token = tokenOf(request.headers);
  const site = searchParams.get("site");
  const reader: Reader = {
    ...(site === null ? {} : { site }),
    ...(token === null ? {} : { token }),
  };
  try {
    const asked = readingOf(pathname.slice(READINGS_PATH.length), searchParams);
    if (asked.report !== "now") await settle(ctx, reader);
    if (mayHaveFilter(asked, token)) await makeFilter(ctx, { ...reader, asked });
    const answer = await ctx.runQuery(internal.readings.read, { ...reader, asked });
    return json(200, answer, keptFor(answer, token));
  } catch (error) {
    const fault = callerErrorData(error);
    if (fault === null) throw error;
    return json(STATUS_OF[fault.code] ?? 400, fault, "no-store");
  }
}

async function settle(ctx: ActionCtx, reader: Reader): Promise<void> {
  for (let call = 0; call < MAX_SETTLING_CALLS; call += 1) {
    const { isSettled } = await ctx.runMutation(internal.readings.settle, reader);
    if (isSettled) return;
  }
}

/** What is of a part of the days is another a moment later. */
function keptFor(answer: Answer, token: string | null): string {
  if (token !== null) return "private, no-store";
  const { progress } = "progress" in answer ? answer : {};
  const isWhole = progress === undefined || progress.done >= progress.total;
  return isWhole ? `public, max-age=${PUBLIC_FOR_SECONDS}` : "no-store";
}

/** Its own, or that of the segment which the token shows alone. */
function mayHaveFilter(asked: Reading, token: string | null): boolean {
  return token !== null || ("filter" in asked && asked.filter !== undefined);
}

/** Of a filter that is made already it is one call. */
async function makeFilter(ctx: ActionCtx, args: Reader & { asked: Reading }): Promise<void> {
  for (let call = 0; call < MAX_MAKING_CALLS; call += 1) {
    if (await ctx.runMutation(internal.readings.makeFilter, args)) return;
  }
}

function tokenOf(headers: Headers): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.get("Authorization") ?? "")?.[1] ?? null;
}

function json(status: number, body: object, kept: string): Response {
  const headers = {
    ...READING_CORS,
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": kept,
    Vary: "Authorization",
    "X-Content-Type-Options": "nosniff",
  };
  return new Response(`${JSON.stringify(body)}\n`, { status, headers });
}
