/**
 * Owns: whether the caller is a program that visits pages by itself.
 * Not: what happens to its hits.
 */
import { isbot } from "isbot";
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

export function isBotAgent(userAgent: string | undefined): boolean {
  return isbot(userAgent);
}

export async function isBotRequest(ctx: MutationCtx): Promise<boolean> {
  return isBotAgent(await readUserAgent(ctx));
}
