/**
 * Owns: whether a caller may read a site's statistics.
 * Not: the doors that ask (readers.ts), or the tokens themselves (keys.ts).
 */
import type { QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { openedBy } from "./keys.ts";
import { readSite } from "./sites.ts";

/** What a reader says of itself: which site it asks about, and with which token. */
export type Reader = { site?: string | undefined; token?: string | undefined };

/** Throws `not_allowed` or `password_wanted`, and `unknown_site` as the door itself would. */
export async function assertMayRead(ctx: QueryCtx, { site, token }: Reader): Promise<void> {
  const { slug, access } = await readSite(ctx, site);
  switch (access) {
    case "public":
      return;
    case "token":
      return await assertOpens(ctx, { site: slug, token });
    case "operator":
      throw callerError(
        "not_allowed",
        `The statistics of site "${slug}" are for its operators alone: npx convex run operators:getStats '{"site": "${slug}"}'.`,
      );
  }
  access satisfies never;
}

async function assertOpens(
  ctx: QueryCtx,
  { site, token }: { site: string; token: string | undefined },
): Promise<void> {
  switch (await openedBy(ctx, { site, token: token ?? "" })) {
    case "everything":
      return;
    case "with a password":
      throw callerError("password_wanted", "This link opens with the password that came with it.");
    case "nothing":
      throw callerError(
        "not_allowed",
        `The statistics of site "${site}" are read with a token, and ${token === undefined ? "there is none" : "this one opens nothing (any more)"}. Its operator makes one with npm run sites -- add-token ${site}; /stats takes it as /stats#token=….`,
      );
  }
}
