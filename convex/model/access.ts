/**
 * Owns: what of a site's statistics a caller may read: all, those of one segment alone, or nothing.
 * Not: the doors that ask (readers.ts), or the tokens themselves (keys.ts).
 */
import type { Filter } from "../../domain/filters/filter.ts";
import type { QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { findSegment } from "./filters/segments.ts";
import { openedBy } from "./keys.ts";
import type { Opened } from "./keys.ts";
import { readSite } from "./sites.ts";

/** What a reader says of itself: which site it asks about, and with which token. */
export type Reader = { site?: string | undefined; token?: string | undefined };

declare const granted: unique symbol;
/** Made here alone, so nothing answers whom nobody has looked at. */
type Granted = { readonly [granted]: true };

export type SegmentGrant = { readonly sees: "segment"; name: string; filter: Filter } & Granted;
/** What somebody may read of a site: everything, or what meets the filter of one segment. */
export type Grant = ({ readonly sees: "everything" } & Granted) | SegmentGrant;

/** Of whoever has the deployment's key, and of everybody where a site is public. */
export const EVERYTHING: Grant = granting({ sees: "everything" });

/**
 * A link that shows one segment shows no more where the site is public, too: it would say otherwise what it is not.
 * Throws `not_allowed` or `password_wanted`, and `unknown_site` as the door itself would.
 */
export async function grantOf(ctx: QueryCtx, { site, token }: Reader): Promise<Grant> {
  const { slug, access } = await readSite(ctx, site);
  if (access === "operator") {
    throw callerError(
      "not_allowed",
      `The statistics of site "${slug}" are for its operators alone: npx convex run operators:getStats '{"site": "${slug}"}'.`,
    );
  }
  const isPublic = access === "public";
  if (isPublic && token === undefined) return EVERYTHING;
  const opened = await openedBy(ctx, { site: slug, token: token ?? "" });
  const { by, segment } = opened;
  if (isPublic && segment === undefined) return EVERYTHING;
  if (by !== "token") throw refusal(slug, { token, opened });
  return segment === undefined ? EVERYTHING : await grantOfSegment(ctx, slug, segment);
}

async function grantOfSegment(ctx: QueryCtx, site: string, name: string): Promise<Grant> {
  const segment = await findSegment(ctx, site, name);
  if (segment === null || segment.filter.length === 0) {
    throw callerError(
      "not_allowed",
      "The segment that this link shows is not kept any more. Ask for another link.",
    );
  }
  return granting({ sees: "segment", name, filter: segment.filter });
}

function granting<G extends { readonly sees: Grant["sees"] }>(grant: G): G & Granted {
  return grant as G & Granted;
}

function refusal(site: string, { token, opened }: { token: string | undefined; opened: Opened }) {
  if (opened.by === "token and password") {
    return callerError("password_wanted", "This link opens with the password that came with it.");
  }
  return callerError(
    "not_allowed",
    `The statistics of site "${site}" are read with a token, and ${token === undefined ? "there is none" : "this one opens nothing (any more)"}. Its operator makes one with npm run sites -- add-token ${site}; /stats takes it as /stats#token=….`,
  );
}
