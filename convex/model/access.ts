/**
 * Owns: what of a site's statistics a caller may read: all, those of one segment alone, or nothing.
 * Not: the doors that ask (readers.ts), or the tokens themselves (keys.ts).
 */
import type { Filter } from "../../domain/filters/filter.ts";
import type { QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { findSegment } from "./filters/segments.ts";
import { openedBy } from "./keys.ts";
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
 * Where everybody may read, a token is held to all the same: a link of one segment shows that, and one that opens
 * nothing any more does not turn into everything. Throws `not_allowed` or `password_wanted`, and `unknown_site` as the
 * door itself would.
 */
export async function grantOf(ctx: QueryCtx, { site, token }: Reader): Promise<Grant> {
  const { slug, access } = await readSite(ctx, site);
  switch (access) {
    case "operator":
      throw callerError(
        "not_allowed",
        `The statistics of site "${slug}" are for its operators alone: npx convex run operators:getStats '{"site": "${slug}"}'.`,
      );
    case "public":
      return token === undefined ? EVERYTHING : await grantOfToken(ctx, { slug, token, access });
    case "token":
      return await grantOfToken(ctx, { slug, token, access });
  }
  access satisfies never;
}

type Asked = { slug: string; token: string | undefined; access: "public" | "token" };

async function grantOfToken(ctx: QueryCtx, { slug, token, access }: Asked): Promise<Grant> {
  const { by, segment } = await openedBy(ctx, { site: slug, token: token ?? "" });
  switch (by) {
    case "token":
      return segment === undefined ? EVERYTHING : await grantOfSegment(ctx, slug, segment);
    case "token and password":
      throw callerError("password_wanted", "This link opens with the password that came with it.");
    case "another site":
    case "no token":
      // What a page brings along that was of another site before; here everybody may read.
      if (access === "public") return EVERYTHING;
      throw refusal(slug, { token, access });
    case "nothing":
      throw refusal(slug, { token, access });
  }
  by satisfies never;
}

function refusal(slug: string, { token, access }: Omit<Asked, "slug">) {
  const whose = `The statistics of site "${slug}" are read`;
  if (access === "public") {
    return callerError(
      "not_allowed",
      `${whose} by everybody without a token, and this one opens nothing (any more): what it showed may be less.`,
    );
  }
  return callerError(
    "not_allowed",
    `${whose} with a token, and ${token === undefined ? "there is none" : "this one opens nothing (any more)"}. Its operator makes one with npm run sites -- add-token ${slug}; /stats takes it as /stats#token=….`,
  );
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
