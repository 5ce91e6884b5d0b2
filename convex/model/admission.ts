/**
 * Owns: whether a view or an event is taken at all: of which site and visitor it is, and whether it is filtered instead, and why.
 * Not: what it counts (views.ts, events/record.ts).
 */
import { isBotAgent } from "../../domain/bots.ts";
import type { MutationCtx } from "../_generated/server.js";
import type { Hit } from "./arguments.ts";
import { acceptAgent, readUserAgent } from "./bots.ts";
import { keepFiltered } from "./filtered.ts";
import { identify, idOfNobody } from "./identity.ts";
import { countedPath } from "./pathRules.ts";
import { routeHit } from "./routing.ts";
import type { Origin, Routed } from "./routing.ts";
import type { ViewOutcome } from "./shapes.ts";
import { readSite } from "./sites.ts";
import type { Site } from "./sites.ts";
import { keepStranger } from "./strangers.ts";

/** What a server says of its visitor. It had the site's key, so it is believed, also about where the hit was. */
export type StatedVisitor = { userAgent?: string; country?: string; address?: string };

export type Sender = Origin & {
  path: string;
  query?: string | undefined;
  stated?: StatedVisitor;
  isPrivate?: boolean | undefined;
};

export type Admitted<H extends Hit = Hit> = {
  site: Site;
  /** With the path under which the site counts it, and the id under which its visitor is known. */
  hit: H;
  /** Then the id is that of the hit alone. */
  isOfNobody: boolean;
  userAgent: string | undefined;
  now: number;
};

/** An outcome: it is filtered, and kept as that. */
export async function admit<H extends Hit>(
  ctx: MutationCtx,
  sender: Sender,
  sent: H,
): Promise<Admitted<H> | ViewOutcome> {
  const { stated } = sender;
  const userAgent = stated === undefined ? await readUserAgent(ctx) : acceptAgent(stated.userAgent);
  const now = Date.now();
  const routed = await route(ctx, sender);
  if (!routed.isKnown) return await keepStranger(ctx, routed, { hit: sent, userAgent, now });
  const { site } = routed;
  const { isPrivate } = sender;
  const visitorId = await identify(ctx, site, { ...sent, isPrivate, stated });
  const known = { ...sent, sessionId: visitorId ?? idOfNobody(sent.eventId) };
  const path = countedPath(site, sender);
  const reason = isBotAgent(userAgent) ? "bot" : "excluded path";
  if (reason === "bot" || path === null) {
    return await keepFiltered(ctx, { hit: known, userAgent, now, reason, site: site.slug });
  }
  return { site, hit: { ...known, path }, isOfNobody: visitorId === null, userAgent, now };
}

async function route(ctx: MutationCtx, sender: Sender): Promise<Routed> {
  if (sender.stated === undefined) return await routeHit(ctx, sender);
  return { isKnown: true, site: await readSite(ctx, sender.site) };
}
