/**
 * Owns: the user agent of a call, and whether it is a bot's.
 * Not: which user agents are (domain/bots.ts), or what happens to their hits.
 */
import { isBotAgent } from "../../domain/bots.ts";
import { MAX_USER_AGENT_LENGTH } from "../../domain/limits.ts";
import { clampLine } from "../../domain/text.ts";
import type { MutationCtx } from "../_generated/server.js";

/** The user agent of the request that this mutation serves, clamped; undefined where none is known, as in scheduled work. */
export async function readUserAgent(ctx: MutationCtx): Promise<string | undefined> {
  const { userAgent } = await ctx.meta.getRequestMetadata();
  return acceptAgent(userAgent ?? undefined);
}

export function acceptAgent(userAgent: string | undefined): string | undefined {
  return userAgent === undefined ? undefined : clampLine(userAgent, MAX_USER_AGENT_LENGTH);
}

export async function isBotRequest(ctx: MutationCtx): Promise<boolean> {
  return isBotAgent(await readUserAgent(ctx));
}
