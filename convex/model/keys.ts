/**
 * Owns: the keys with which servers send hits of a site: made, listed, revoked, recognised.
 * Not: what may be sent with one (received/events.ts).
 *
 * A key is `ff_<id>_<secret>`. The id finds the row, the secret proves it: only its hash is kept, and two hashes are
 * compared in a time that does not tell where they differ.
 */
import { clampLine } from "../../domain/text.ts";
import { internal } from "../_generated/api.js";
import type { ActionCtx, MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Doc } from "../_generated/dataModel.js";
import { callerError, quoted } from "../errors.ts";
import { hashOf, isSameHash, randomHex } from "./secrets.ts";
import { readSite } from "./sites.ts";

const KEY_ID_BYTES = 8;
const KEY_SECRET_BYTES = 32;
const API_KEY = /^ff_([0-9a-f]{16})_([0-9a-f]{64})$/;

/** Keys of one site: one for each server that sends, and some to change them. */
const MAX_KEYS = 20;

const MAX_KEY_NAME_LENGTH = 64;

/** What is compared where there is no key: as long as a hash, and the hash of nothing that can be found. */
const NO_HASH = "0".repeat(64);

type OfSite = { site?: string };

/** In an action, because only there is randomness that nobody could have foreseen. */
export async function create(
  ctx: ActionCtx,
  args: OfSite & { name?: string },
): Promise<{ id: string; key: string }> {
  const id = randomHex(KEY_ID_BYTES);
  const secret = randomHex(KEY_SECRET_BYTES);
  await ctx.runMutation(internal.keys.store, {
    ...args,
    keyId: id,
    secretHash: await hashOf(secret),
  });
  return { id, key: `ff_${id}_${secret}` };
}

export async function store(
  ctx: MutationCtx,
  { name = "", ...args }: OfSite & { name?: string; keyId: string; secretHash: string },
): Promise<null> {
  const { slug: site } = await readSite(ctx, args.site);
  if ((await readKeys(ctx, site)).length === MAX_KEYS) {
    throw callerError(
      "invalid_key",
      `Site "${site}" has ${MAX_KEYS} keys already. Revoke one that is no longer used: npm run sites -- revoke-key ${site} --id ID`,
    );
  }
  const { keyId, secretHash } = args;
  const named = clampLine(name, MAX_KEY_NAME_LENGTH);
  await ctx.db.insert("apiKeys", { site, keyId, secretHash, name: named, createdAt: Date.now() });
  return null;
}

export async function list(
  ctx: QueryCtx,
  args: OfSite,
): Promise<{ id: string; name: string; createdAt: number }[]> {
  const { slug } = await readSite(ctx, args.site);
  const rows = await readKeys(ctx, slug);
  return rows.map(({ keyId: id, name, createdAt }) => ({ id, name, createdAt }));
}

export async function revoke(ctx: MutationCtx, args: OfSite & { id: string }): Promise<null> {
  const { slug } = await readSite(ctx, args.site);
  const row = await findRow(ctx, args.id);
  if (row?.site !== slug) {
    throw callerError(
      "invalid_key",
      `Site "${slug}" has no key ${quoted(args.id)}. Its keys: npm run sites -- keys ${slug}`,
    );
  }
  await ctx.db.delete("apiKeys", row._id);
  return null;
}

export async function find(
  ctx: QueryCtx,
  args: { keyId: string },
): Promise<{ site: string; secretHash: string } | null> {
  const row = await findRow(ctx, args.keyId);
  return row === null ? null : { site: row.site, secretHash: row.secretHash };
}

/** The site that the key of an `Authorization` header opens; null when it opens none, whatever the reason. */
export async function siteOfKey(ctx: ActionCtx, header: string | null): Promise<string | null> {
  const bearer = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  const [, keyId = "", secret = ""] = API_KEY.exec(bearer) ?? [];
  const found = await ctx.runQuery(internal.keys.find, { keyId });
  const isRight = isSameHash(await hashOf(secret), found?.secretHash ?? NO_HASH);
  return found !== null && isRight ? found.site : null;
}

async function readKeys(ctx: QueryCtx, site: string): Promise<Doc<"apiKeys">[]> {
  return await ctx.db
    .query("apiKeys")
    .withIndex("by_site", (q) => q.eq("site", site))
    .take(MAX_KEYS);
}

async function findRow(ctx: QueryCtx, keyId: string): Promise<Doc<"apiKeys"> | null> {
  return await ctx.db
    .query("apiKeys")
    .withIndex("by_keyId", (q) => q.eq("keyId", keyId))
    .first();
}
