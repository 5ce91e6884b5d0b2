/**
 * Owns: what `POST /e` understands and answers.
 * Not: what a view (views.ts) or a leave (presence.ts) does.
 *
 * A page that goes away can send nothing but a beacon: text/plain, so that a browser needs no preflight for it. And
 * only here are the headers seen that a CDN adds to a request.
 */
import { ConvexError } from "convex/values";
import { COUNTRY_HEADERS } from "../../domain/dimensions/place.ts";
import { MAX_BEACON_BYTES } from "../../domain/limits.ts";
import { api, internal } from "../_generated/api.js";
import type { ActionCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";

/** Any site may send beacons and nobody can read anything with one. */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
};

/** Codes have two letters; what is longer is none. */
const MAX_COUNTRY_LENGTH = 8;

type Fields = Record<string, unknown>;

/** What makes which call. Throws `invalid_beacon` for what is missing or of the wrong kind; the called functions check the rest. */
const KINDS = { view: receiveView, leave: receiveLeave };

export async function receive(ctx: ActionCtx, request: Request): Promise<Response> {
  try {
    const { kind, ...fields } = parseObject(await request.text());
    await kindOf(kind)(ctx, fields, request.headers);
    return new Response(null, { status: 204, headers: CORS });
  } catch (error) {
    if (!(error instanceof ConvexError)) throw error;
    return new Response(`${messageOf(error.data)}\n`, {
      status: 400,
      headers: { ...CORS, "Content-Type": "text/plain; charset=utf-8" },
    });
  }
}

export function preflight(): Response {
  return new Response(null, { status: 204, headers: CORS });
}

function kindOf(kind: unknown): (typeof KINDS)[keyof typeof KINDS] {
  if (kind === "view" || kind === "leave") return KINDS[kind];
  throw callerError(
    "invalid_beacon",
    `"kind" is ${JSON.stringify(kind)?.slice(0, 64)}; wanted "view" or "leave".`,
  );
}

async function receiveView(ctx: ActionCtx, fields: Fields, headers: Headers): Promise<void> {
  await ctx.runMutation(internal.stats.recordReceivedView, {
    sessionId: requiredText(fields, "sessionId", "the id of the browser"),
    path: requiredText(fields, "path", "location.pathname"),
    pageType: optionalText(fields, "pageType") ?? "page",
    title: optionalText(fields, "title"),
    eventId: optionalText(fields, "eventId"),
    site: optionalText(fields, "site"),
    referrer: optionalText(fields, "referrer"),
    query: optionalText(fields, "query"),
    host: optionalText(fields, "host"),
    language: optionalText(fields, "language"),
    timeZone: optionalText(fields, "timeZone"),
    screenWidth: optionalNumber(fields, "screenWidth"),
    countries: COUNTRY_HEADERS.flatMap((header) => {
      const country = headers.get(header);
      return country === null ? [] : [{ header, country: country.slice(0, MAX_COUNTRY_LENGTH) }];
    }),
  });
}

async function receiveLeave(ctx: ActionCtx, fields: Fields): Promise<void> {
  await ctx.runMutation(api.stats.leave, {
    sessionId: requiredText(fields, "sessionId", "the id of the browser"),
    path: optionalText(fields, "path"),
    eventId: optionalText(fields, "eventId"),
    site: optionalText(fields, "site"),
  });
}

function parseObject(text: string): Record<string, unknown> {
  if (text.length > MAX_BEACON_BYTES) {
    throw callerError(
      "invalid_beacon",
      `The body has ${text.length} characters; at most ${MAX_BEACON_BYTES} are read.`,
    );
  }
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw callerError(
      "invalid_beacon",
      `The body is no JSON object; wanted {"kind":"view",…} or {"kind":"leave",…}.`,
    );
  }
  return { ...value };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function requiredText(fields: Fields, name: string, wanted: string): string {
  const text = optionalText(fields, name);
  if (text !== undefined) return text;
  throw callerError("invalid_beacon", `"${name}" is missing; wanted ${wanted}.`);
}

function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw callerError("invalid_beacon", `"${name}" is no text; leave it out or give a text.`);
}

function optionalNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "number") return value;
  throw callerError("invalid_beacon", `"${name}" is no number; leave it out or give a number.`);
}

function messageOf(data: unknown): string {
  const isCoded = typeof data === "object" && data !== null && "message" in data;
  return isCoded ? String(data.message) : "The beacon was not understood.";
}
