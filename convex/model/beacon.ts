/**
 * Owns: what `POST /e` understands and answers.
 * Not: what a leave does (presence.ts).
 *
 * A page that goes away can send nothing but a beacon: text/plain, so that a browser needs no preflight for it.
 */
import { ConvexError } from "convex/values";
import { MAX_BEACON_BYTES } from "../../domain/limits.ts";
import { api } from "../_generated/api.js";
import type { ActionCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";

/** Any site may send beacons and nobody can read anything with one. */
const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "POST, OPTIONS",
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "86400",
};

type Leave = { sessionId: string; path?: string; eventId?: string; site?: string };

export async function receive(ctx: ActionCtx, request: Request): Promise<Response> {
  try {
    await ctx.runMutation(api.stats.leave, parseLeave(await request.text()));
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

function parseLeave(text: string): Leave {
  const { kind, sessionId, ...rest } = parseObject(text);
  if (kind !== "leave") {
    throw callerError(
      "invalid_beacon",
      `"kind" is ${JSON.stringify(kind)?.slice(0, 64)}; wanted "leave".`,
    );
  }
  if (typeof sessionId !== "string") {
    throw callerError("invalid_beacon", `"sessionId" is missing; wanted the id of the browser.`);
  }
  return {
    sessionId,
    ...optionalText(rest, "path"),
    ...optionalText(rest, "eventId"),
    ...optionalText(rest, "site"),
  };
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
    throw callerError("invalid_beacon", `The body is no JSON object; wanted {"kind":"leave",…}.`);
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

function optionalText<Name extends string>(
  fields: Record<string, unknown>,
  name: Name,
): Partial<Record<Name, string>> {
  const value = fields[name];
  if (value === undefined || value === null) return {};
  if (typeof value !== "string") {
    throw callerError("invalid_beacon", `"${name}" is no text; leave it out or give a text.`);
  }
  const found: Partial<Record<Name, string>> = {};
  found[name] = value;
  return found;
}

function messageOf(data: unknown): string {
  const isCoded = typeof data === "object" && data !== null && "message" in data;
  return isCoded ? String(data.message) : "The beacon was not understood.";
}
