/**
 * Owns: which hits the collector understands, and the fields of each.
 * Not: how they arrive (beacon.ts), or what they do (views.ts, presence.ts).
 */
import { COUNTRY_HEADERS } from "../../../domain/dimensions/place.ts";
import { internal } from "../../_generated/api.js";
import type { ActionCtx } from "../../_generated/server.js";
import { callerError, quoted } from "../../errors.ts";
import { isPrefetchRequest } from "../doorRules.ts";
import type { ViewOutcome } from "../shapes.ts";
import { optionalNumber, optionalText, requiredText } from "./fields.ts";
import type { Fields } from "./fields.ts";

/** Codes have two letters; what is longer is none. */
const MAX_COUNTRY_LENGTH = 8;

/** Does what one hit says. Throws `invalid_beacon` for what is missing or of the wrong kind; the called functions check the rest. */
export async function receiveHit(
  ctx: ActionCtx,
  fields: Fields,
  headers: Headers,
): Promise<ViewOutcome> {
  const { kind } = fields;
  switch (kind) {
    case "view":
      return await ctx.runMutation(internal.received.view, {
        ...viewOf(fields),
        language: optionalText(fields, "language") ?? languageOf(headers),
        host: hostOf(fields, headers),
        sent: {
          isPrefetch: isPrefetchRequest(headers),
          isWithoutAgent: headers.get("User-Agent") === null,
        },
        countries: COUNTRY_HEADERS.flatMap((header) => {
          const country = headers.get(header);
          return country === null
            ? []
            : [{ header, country: country.slice(0, MAX_COUNTRY_LENGTH) }];
        }),
      });
    case "beat":
      return await ctx.runMutation(internal.received.beat, {
        sessionId: sessionOf(fields),
        currentPath: pathOf(fields),
        site: optionalText(fields, "site"),
        host: hostOf(fields, headers),
      });
    case "leave":
      return await ctx.runMutation(internal.received.leave, {
        sessionId: sessionOf(fields),
        path: optionalText(fields, "path"),
        eventId: optionalText(fields, "eventId"),
        site: optionalText(fields, "site"),
        host: hostOf(fields, headers),
      });
    default:
      throw callerError(
        "invalid_beacon",
        `"kind" is ${quoted(kind)}; wanted "view", "beat" or "leave".`,
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

/** What the browser itself says (`Origin`) before what the page says, before where its request came from (`Referer`). */
function hostOf(fields: Fields, headers: Headers): string | undefined {
  const said = optionalText(fields, "host");
  return hostOfAddress(headers.get("Origin")) ?? said ?? hostOfAddress(headers.get("Referer"));
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
