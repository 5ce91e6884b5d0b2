/**
 * Owns: whether a caller may read a site's statistics.
 * Not: the doors that ask (readers.ts), or the tokens themselves (keys.ts).
 */
import type { QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { isKeyOf } from "./keys.ts";
import { readSite } from "./sites.ts";

/** What a reader says of itself: which site it asks about, and with which token. */
export type Reader = { site?: string | undefined; token?: string | undefined };

/** Throws `not_allowed`, and `unknown_site` as the door itself would. */
export async function assertMayRead(ctx: QueryCtx, { site, token }: Reader): Promise<void> {
  const { slug, access } = await readSite(ctx, site);
  switch (access) {
    case "public":
      return;
    case "token":
      if (await isKeyOf(ctx, { site: slug, kind: "read", key: token ?? "" })) return;
      throw callerError(
        "not_allowed",
        `The statistics of site "${slug}" are read with a token, and ${token === undefined ? "there is none" : "this one opens nothing"}. Its operator makes one with npm run sites -- add-token ${slug}; /stats takes it as /stats#token=….`,
      );
    case "operator":
      throw callerError(
        "not_allowed",
        `The statistics of site "${slug}" are for its operators alone: npx convex run operators:getStats '{"site": "${slug}"}'.`,
      );
  }
  access satisfies never;
}
