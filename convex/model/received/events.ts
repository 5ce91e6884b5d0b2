/**
 * Owns: `POST /v1/events`: hits that a server sends of its visitors, with the key of its site.
 * Not: the keys (keys.ts), or what a view or an event does (views.ts, events/record.ts).
 *
 * All hits of a request are looked at before the first is stored, so one that is not understood leaves nothing. Each
 * is then a transaction of its own; a request whose answer was lost is sent again whole, and what has an `eventId`
 * counts once.
 */
import { MAX_HITS_PER_REQUEST, MAX_LISTED_HIT_LENGTH } from "../../../domain/limits.ts";
import { internal } from "../../_generated/api.js";
import type { ActionCtx } from "../../_generated/server.js";
import { callerError, callerErrorData, quoted } from "../../errors.ts";
import { acceptHit } from "../arguments.ts";
import { acceptEvent } from "../events/accept.ts";
import { siteOfKey } from "../keys.ts";
import type { ViewOutcome } from "../shapes.ts";
import { answered, outcomeHeader, sentence } from "./answers.ts";
import { isObject, optionalFlag, optionalText, parseJson } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { eventOf, viewOf } from "./hits.ts";

const MAX_BODY_LENGTH = MAX_HITS_PER_REQUEST * MAX_LISTED_HIT_LENGTH;

export async function receive(ctx: ActionCtx, request: Request): Promise<Response> {
  const site = await siteOfKey(ctx, request.headers.get("Authorization"));
  if (site === null) {
    const wanted = "A key is needed: Authorization: Bearer ff_….";
    return sentence(401, wanted, { "WWW-Authenticate": "Bearer" });
  }
  return await answered(async () => {
    const sent = readHits(await request.text());
    const hits = sent.map((fields, place) => acceptAt(place, () => acceptSent(fields, site)));
    const outcomes: ViewOutcome[] = [];
    for (const hit of hits) outcomes.push(await take(ctx, hit));
    const [first] = outcomes;
    const isOne = first !== undefined && outcomes.length === 1;
    return Response.json({ outcomes }, isOne ? { headers: outcomeHeader(first) } : {});
  });
}

function readHits(text: string): unknown[] {
  if (text.length > MAX_BODY_LENGTH) {
    throw callerError(
      "invalid_beacon",
      `The body has ${text.length} characters; at most ${MAX_BODY_LENGTH} are read.`,
    );
  }
  const value = parseJson(text);
  const hits: unknown[] = Array.isArray(value) ? value : isObject(value) ? [value] : [];
  if (hits.length > 0 && hits.length <= MAX_HITS_PER_REQUEST) return hits;
  throw callerError(
    "invalid_beacon",
    `The body has ${hits.length} hits; wanted JSON, one {"sessionId":…,"path":…} or a list of 1 to ${MAX_HITS_PER_REQUEST}.`,
  );
}

/** Says of what is refused which hit it was. */
function acceptAt<T>(place: number, accept: () => T): T {
  try {
    return accept();
  } catch (error) {
    const fault = callerErrorData(error);
    if (fault === null) throw error;
    throw callerError("invalid_beacon", `Hit ${place + 1}: ${fault.message}`);
  }
}

type Sent = ReturnType<typeof acceptSent>;

async function take(ctx: ActionCtx, sent: Sent): Promise<ViewOutcome> {
  return sent.kind === "view"
    ? await ctx.runMutation(internal.received.view, sent.hit)
    : await ctx.runMutation(internal.received.event, sent.hit);
}

/** The hit as the view or event that it is. */
function acceptSent(fields: unknown, site: string) {
  if (!isObject(fields)) throw callerError("invalid_beacon", "It is no JSON object.");
  const { kind = "view" } = fields;
  if (kind !== "view" && kind !== "event") {
    const got = quoted(kind);
    throw callerError("invalid_beacon", `"kind" is ${got}; wanted "view" or "event".`);
  }
  if (fields.site !== undefined && fields.site !== site) {
    throw callerError("invalid_beacon", `"site" is not "${site}", of which the key is.`);
  }
  const isPrivate = optionalFlag(fields, "private");
  const from = { host: optionalText(fields, "host"), site, isPrivate, stated: statedOf(fields) };
  if (kind === "view") {
    const hit = { ...viewOf(fields), ...from };
    acceptHit(hit);
    return { kind, hit } as const;
  }
  const hit = { ...eventOf(fields), ...from };
  acceptEvent(hit);
  return { kind, hit } as const;
}

function statedOf(fields: Fields): {
  userAgent?: string | undefined;
  country?: string | undefined;
  address?: string | undefined;
} {
  return {
    // Goes into a daily visitor's hash and is not kept.
    address: optionalText(fields, "address"),
    userAgent: optionalText(fields, "userAgent"),
    country: optionalText(fields, "country"),
  };
}
