/**
 * Owns: which hits the collector understands, and the fields of each.
 * Not: how they arrive (beacon.ts), or what they do (views.ts, presence.ts).
 */
import type { GivenValue } from "../../../domain/events.ts";
import { COUNTRY_HEADERS } from "../../../domain/dimensions/place.ts";
import { MAX_EVENT_PROPERTIES } from "../../../domain/limits.ts";
import { toWellFormed } from "../../../domain/text.ts";
import { HUMAN_VERDICTS, isHumanVerdict } from "../../../domain/engagement/human.ts";
import type { HumanVerdict } from "../../../domain/engagement/human.ts";
import { VITAL_NAMES } from "../../../domain/engagement/vitals.ts";
import { internal } from "../../_generated/api.js";
import type { ActionCtx } from "../../_generated/server.js";
import { callerError, quoted } from "../../errors.ts";
import type { EngagementOutcome } from "../engagement/shapes.ts";
import { isPrefetchRequest } from "../doorRules.ts";
import type { ViewOutcome } from "../shapes.ts";
import {
  isObject,
  optionalFlag,
  optionalNumber,
  optionalObject,
  optionalText,
  requiredText,
} from "./fields.ts";
import type { Fields } from "./fields.ts";

/** Properties that are looked at: some without a value or a key may be among those that are kept. */
const MAX_READ_PROPERTIES = 4 * MAX_EVENT_PROPERTIES;

/** Codes have two letters; what is longer is none. */
const MAX_COUNTRY_LENGTH = 8;

/** Does what one hit says. Throws `invalid_beacon` for what is missing or of the wrong kind; the called functions check the rest. */
export async function receiveHit(
  ctx: ActionCtx,
  fields: Fields,
  headers: Headers,
): Promise<ViewOutcome | EngagementOutcome> {
  const { kind } = fields;
  const from = { host: hostOf(fields, headers), isPrivate: isPrivate(fields, headers) };
  const sent = {
    isPrefetch: isPrefetchRequest(headers),
    isWithoutAgent: headers.get("User-Agent") === null,
  };
  switch (kind) {
    case "view":
      return await ctx.runMutation(internal.received.view, {
        ...viewOf(fields),
        language: optionalText(fields, "language") ?? languageOf(headers),
        ...from,
        sent,
        countries: COUNTRY_HEADERS.flatMap((header) => {
          const country = headers.get(header);
          return country === null
            ? []
            : [{ header, country: country.slice(0, MAX_COUNTRY_LENGTH) }];
        }),
      });
    case "event":
      return await ctx.runMutation(internal.received.event, {
        ...eventOf(fields),
        ...from,
        sent,
      });
    case "beat":
      return await ctx.runMutation(internal.received.beat, {
        sessionId: sessionOf(fields),
        currentPath: pathOf(fields),
        site: optionalText(fields, "site"),
        ...from,
        sent,
      });
    case "leave":
      return await ctx.runMutation(internal.received.leave, {
        sessionId: sessionOf(fields),
        path: optionalText(fields, "path"),
        eventId: optionalText(fields, "eventId"),
        site: optionalText(fields, "site"),
        ...from,
      });
    case "engagement":
      return await ctx.runMutation(internal.received.engagement, {
        ...engagementOf(fields),
        ...from,
      });
    default:
      throw callerError(
        "invalid_beacon",
        `"kind" is ${quoted(kind)}; wanted "view", "event", "beat", "leave" or "engagement".`,
      );
  }
}

/** What a view says of itself, apart from where it comes from. */
export function viewOf(fields: Fields) {
  return {
    sessionId: sessionOf(fields),
    path: pathOf(fields),
    pageType: optionalText(fields, "pageType") ?? "page",
    title: optionalText(fields, "title"),
    eventId: optionalText(fields, "eventId"),
    site: optionalText(fields, "site"),
    referrer: optionalText(fields, "referrer"),
    query: optionalText(fields, "query"),
    language: optionalText(fields, "language"),
    timeZone: optionalText(fields, "timeZone"),
    screenWidth: optionalNumber(fields, "screenWidth"),
  };
}

/** What a custom event says of itself, apart from where it comes from. */
export function eventOf(fields: Fields) {
  return {
    sessionId: sessionOf(fields),
    path: pathOf(fields),
    name: requiredText(fields, "name", 'what happened, such as "signup"'),
    properties: propertiesOf(fields),
    isInteractive: optionalFlag(fields, "interactive"),
    eventId: optionalText(fields, "eventId"),
    site: optionalText(fields, "site"),
  };
}

/** As a list, because a key may be any text. One without a value is left out. */
function propertiesOf(fields: Fields): { key: string; value: GivenValue }[] {
  const { properties = null } = fields;
  if (properties === null) return [];
  if (!isObject(properties)) {
    throw callerError(
      "invalid_beacon",
      `"properties" is no object; leave it out or give {"plan":"pro"}.`,
    );
  }
  return Object.entries(properties)
    .slice(0, MAX_READ_PROPERTIES)
    .flatMap(([key, value]) =>
      value === null ? [] : [{ key: toWellFormed(key), value: valueOf(key, value) }],
    );
}

function valueOf(key: string, value: unknown): GivenValue {
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value === "number" || typeof value === "boolean") return value;
  throw callerError(
    "invalid_beacon",
    `The property ${quoted(key)} is ${quoted(value)}; wanted a text, a number, true or false.`,
  );
}

function engagementOf(fields: Fields) {
  const vitals = optionalObject(fields, "vitals");
  return {
    sessionId: sessionOf(fields),
    path: pathOf(fields),
    viewId: requiredText(fields, "viewId", "the eventId of the view"),
    engagedMs: optionalNumber(fields, "engagedMs"),
    scrollPercent: optionalNumber(fields, "scrollPercent"),
    vitals:
      vitals === undefined
        ? undefined
        : Object.fromEntries(VITAL_NAMES.map((name) => [name, optionalNumber(vitals, name)])),
    human: verdictOf(fields),
    site: optionalText(fields, "site"),
  };
}

function verdictOf(fields: Fields): HumanVerdict | undefined {
  const said = optionalText(fields, "human");
  if (said === undefined || isHumanVerdict(said)) return said;
  const wanted = HUMAN_VERDICTS.map(quoted).join(", ");
  throw callerError("invalid_beacon", `"human" is ${quoted(said)}; wanted one of ${wanted}.`);
}

/** What the browser itself says (`Origin`) before what the page says, before where its request came from (`Referer`). */
function hostOf(fields: Fields, headers: Headers): string | undefined {
  const said = optionalText(fields, "host");
  return hostOfAddress(headers.get("Origin")) ?? said ?? hostOfAddress(headers.get("Referer"));
}

/** By what the browser sends with every request (Global Privacy Control, Do Not Track), or by what the page says of it. */
function isPrivate(fields: Fields, headers: Headers): boolean {
  const isAsked = headers.get("Sec-GPC") === "1" || headers.get("DNT") === "1";
  return isAsked || optionalFlag(fields, "private") === true;
}

/** The one that the browser asks for first: the script leaves it to this header, to be short. */
function languageOf(headers: Headers): string | undefined {
  const [first = ""] = (headers.get("Accept-Language") ?? "").split(/[,;]/, 1);
  return first.trim() || undefined;
}

/** Undefined for `null`, which a sandboxed frame sends, and for what is no address. */
function hostOfAddress(address: string | null): string | undefined {
  if (address === null) return undefined;
  try {
    return new URL(address).host || undefined;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function sessionOf(fields: Fields): string {
  return requiredText(fields, "sessionId", "the id of the browser");
}

function pathOf(fields: Fields): string {
  return requiredText(fields, "path", "location.pathname");
}
