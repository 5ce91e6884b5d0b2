/**
 * Owns: whether a view or an event is taken at all: of which site and visitor it is, and whether it is filtered
 * instead, and why.
 * Not: what it counts (views.ts, events/record.ts), how much one may send (limits.ts).
 */
import { packValues } from "../../domain/dimensions/packed.ts";
import { valuesOfFirstView } from "../../domain/dimensions/view.ts";
import type { ClientFacts, RequestFacts } from "../../domain/dimensions/view.ts";
import type { MutationCtx } from "../_generated/server.js";
import type { Hit } from "./arguments.ts";
import { acceptAgent, readUserAgent } from "./bots.ts";
import { refusalOf } from "./doorRules.ts";
import type { Sending } from "./doorRules.ts";
import { keepFiltered } from "./filtered.ts";
import { identify, idOfNobody } from "./identity.ts";
import { pathUnderRules } from "./pathRules.ts";
import { routeHit } from "./routing.ts";
import type { Origin, Routed } from "./routing.ts";
import type { FilterReason, ViewOutcome } from "./shapes.ts";
import { readSite } from "./sites.ts";
import type { Site } from "./sites.ts";
import { keepStranger } from "./strangers.ts";
import type { Stranger } from "./strangers.ts";

/** What a server says of its visitor. It had the site's key, so it is believed, also about where the hit was. */
export type StatedVisitor = { userAgent?: string; country?: string; address?: string };

/** A country that a header of the request stated. */
type StatedCountry = { header: string; country: string };

export type Sender = Origin &
  ClientFacts & {
    path: string;
    isPrivate?: boolean | undefined;
    countries?: readonly StatedCountry[];
    stated?: StatedVisitor;
    /** What the headers of its request say. */
    sent?: Omit<Sending, "userAgent">;
  };

export type Admitted<H extends Hit = Hit> = {
  site: Site;
  /** With the path under which the site counts it, and the id under which its visitor is known. */
  hit: H;
  /** Then the id is that of the hit alone. */
  isOfNobody: boolean;
  client: ClientFacts;
  userAgent: string | undefined;
  /** By the header that the site trusts; null where there is none, as in every call of a Convex client. */
  countryHeader: string | null;
  now: number;
};

/** An outcome: it is filtered, and kept as that. */
export async function admit<H extends Hit>(
  ctx: MutationCtx,
  sender: Sender,
  sent: H,
): Promise<Admitted<H> | ViewOutcome> {
  const { stated, isPrivate } = sender;
  const userAgent = stated === undefined ? await readUserAgent(ctx) : acceptAgent(stated.userAgent);
  const now = Date.now();
  const routed = await route(ctx, sender);
  if (!routed.isKnown) {
    const as = { path: sent.path, dimensions: packFirst(sender, { userAgent, ownHosts: [] }) };
    const hit = { ...sent, sessionId: await idOfStranger(ctx, routed, { ...sent, isPrivate }) };
    const isTold = routed.named === null || tellsBrowsersApart(routed.named, isPrivate);
    const kept = isTold ? userAgent : undefined;
    return await keepStranger(ctx, routed, { hit, as, userAgent: kept, now });
  }
  const { site } = routed;
  const visitorId = await identify(ctx, site, { ...sent, isPrivate, stated });
  const { path, isExcluded } = pathUnderRules(site, sender);
  const hit = { ...sent, sessionId: visitorId ?? idOfNobody(sent.eventId), path };
  const ofHeader = sender.countries?.find(({ header }) => header === site.countryHeader);
  const countryHeader = stated?.country ?? ofHeader?.country ?? null;
  const isOfNobody = visitorId === null;
  const admitted = { site, hit, isOfNobody, client: sender, userAgent, countryHeader, now };
  const refusal = refusalOf(site, { ...sender.sent, userAgent }, sender);
  if (refusal !== null) return await filter(ctx, admitted, refusal);
  return isExcluded ? await filter(ctx, admitted, "excluded path") : admitted;
}

/** Who is filtered is kept as who they would be: under the id of the site that they name; and who asks to be nobody is nobody of no site. */
async function idOfStranger(
  ctx: MutationCtx,
  { named }: Stranger,
  sent: { sessionId: string; eventId: string | undefined; isPrivate: boolean | undefined },
): Promise<string> {
  const isNobody = sent.isPrivate === true;
  const ofNoSite = isNobody ? null : sent.sessionId;
  return (named === null ? ofNoSite : await identify(ctx, named, sent)) ?? idOfNobody(sent.eventId);
}

async function route(ctx: MutationCtx, sender: Sender): Promise<Routed> {
  if (sender.stated === undefined) return await routeHit(ctx, sender);
  return { isKnown: true, site: await readSite(ctx, sender.site) };
}

/** Keeps the hit with what it takes to count it after all; its user agent only of a browser that is told apart, or where it is judged by that. */
export async function filter(
  ctx: MutationCtx,
  { site, hit, isOfNobody, client, userAgent, countryHeader, now }: Admitted,
  reason: FilterReason,
): Promise<ViewOutcome> {
  const request = { userAgent, countryHeader, ownHosts: site.hosts };
  const as = { path: hit.path, dimensions: packFirst(client, request) };
  const isJudgedByAgent = reason === "bot" || reason === "no browser";
  const isKept = isJudgedByAgent || tellsBrowsersApart(site, isOfNobody);
  const kept = isKept ? userAgent : undefined;
  return await keepFiltered(ctx, { hit, as, userAgent: kept, now, reason, site: site.slug });
}

/** Nobody, and a visitor of a day, is promised that their user agent goes nowhere. */
function tellsBrowsersApart({ visitorMode }: Site, isNobody = false): boolean {
  return visitorMode === "browser" && !isNobody;
}

function packFirst(
  client: ClientFacts,
  request: Omit<RequestFacts, "countryHeader"> & { countryHeader?: string | null },
): string {
  return packValues(valuesOfFirstView(client, { countryHeader: null, ...request }));
}
