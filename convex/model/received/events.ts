/**
 * Owns: `POST /v1/events`: hits that a server sends of its visitors, with the key of its site.
 * Not: the keys (keys.ts), or what a view does (views.ts).
 *
 * All hits of a request are looked at before the first is stored, so one that is not understood leaves nothing. Each
 * is then a transaction of its own; a request whose answer was lost is sent again whole, and what has an `eventId`
 * counts once.
 */
import { MAX_HITS_PER_REQUEST, MAX_LISTED_HIT_BYTES } from "../../../domain/limits.ts";
import { internal } from "../../_generated/api.js";
import type { ActionCtx } from "../../_generated/server.js";
import { callerError, callerErrorData, quoted } from "../../errors.ts";
import { acceptHit } from "../arguments.ts";
import { siteOfKey } from "../keys.ts";
import type { ViewOutcome } from "../shapes.ts";
import { answered, outcomeHeader, sentence } from "./answers.ts";
import { isObject, optionalText, parseJson } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { viewOf } from "./hits.ts";

const MAX_BODY_LENGTH = MAX_HITS_PER_REQUEST * MAX_LISTED_HIT_BYTES;

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
    for (const hit of hits) outcomes.push(await ctx.runMutation(internal.received.view, hit));
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

/** The hit as the view that it is. */
function acceptSent(fields: unknown, site: string) {
  if (!isObject(fields)) throw callerError("invalid_beacon", "It is no JSON object.");
  const { kind = "view", ...view } = fields;
  if (kind !== "view") {
    const got = quoted(kind);
    throw callerError("invalid_beacon", `"kind" is ${got}; only "view" is taken here for now.`);
  }
  if (view.site !== undefined && view.site !== site) {
    throw callerError("invalid_beacon", `"site" is not "${site}", of which the key is.`);
  }
  const accepted = { ...viewOf(view), host: optionalText(view, "host"), site };
  acceptHit(accepted);
  return { ...accepted, stated: statedOf(view) };
}

function statedOf(fields: Fields): {
  userAgent?: string | undefined;
  country?: string | undefined;
} {
  return {
    userAgent: optionalText(fields, "userAgent"),
    country: optionalText(fields, "country"),
  };
}
