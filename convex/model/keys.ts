/**
 * Owns: the keys with which servers send hits of a site, and the tokens with which its statistics are read: made,
 * listed, revoked, recognised.
 * Not: what may be sent with one (received/events.ts), or which sites want one (access.ts).
 *
 * A key is `ff_<id>_<secret>`, a token `fr_<id>_<secret>`. The id finds the row, the secret proves it: only its hash is
 * kept, and two hashes are compared in a time that does not tell where they differ.
 */
import { clampLine } from "../../domain/text.ts";
import { internal } from "../_generated/api.js";
import type { ActionCtx, MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Doc } from "../_generated/dataModel.js";
import { callerError, quoted } from "../errors.ts";
import { hashOf, isSameHash, randomHex } from "./secrets.ts";
import { findSegment, listSegments } from "./filters/segments.ts";
import { readSite } from "./sites.ts";

export const KEY_ID_BYTES = 8;
export const KEY_SECRET_BYTES = 32;

/** What it is for: a key to send, a token to read; neither does what the other does. */
type KeyKind = "send" | "read";

const KINDS = {
  send: {
    form: /^ff_([0-9a-f]{16})_([0-9a-f]{64})$/,
    prefix: "ff",
    opens: undefined,
    word: "key",
    listCommand: "keys",
    revokeCommand: "revoke-key",
  },
  read: {
    form: /^fr_([0-9a-f]{16})_([0-9a-f]{64})$/,
    prefix: "fr",
    opens: "reading",
    word: "token",
    listCommand: "tokens",
    revokeCommand: "revoke-token",
  },
} as const;

/** Keys and tokens of one site: one for each server that sends and each circle that reads, and some to change them. */
const MAX_KEYS = 20;

const MAX_KEY_NAME_LENGTH = 64;

/** What is compared where there is no key: as long as a hash, and the hash of nothing that can be found. */
const NO_HASH = "0".repeat(64);

type OfSite = { site?: string };
type OfKind = { kind: KeyKind };
/** Of a token alone. */
type Bounds = { expiresAt?: number; password?: string; segment?: string };

/** In an action, because only there is randomness that nobody could have foreseen. */
export async function create(
  ctx: ActionCtx,
  args: OfSite & OfKind & Bounds & { name?: string },
): Promise<{ id: string; key: string }> {
  const id = randomHex(KEY_ID_BYTES);
  const secret = randomHex(KEY_SECRET_BYTES);
  const secretHash = await hashOf(secret);
  await ctx.runMutation(internal.keys.store, { ...args, keyId: id, secretHash });
  return { id, key: `${KINDS[args.kind].prefix}_${id}_${secret}` };
}

export async function store(
  ctx: MutationCtx,
  {
    name = "",
    ...args
  }: OfSite & OfKind & Bounds & { name?: string; keyId: string; secretHash: string },
): Promise<null> {
  const { slug: site } = await readSite(ctx, args.site);
  const { word, revokeCommand, opens } = KINDS[args.kind];
  if ((await readRows(ctx, site)).length === MAX_KEYS) {
    throw callerError(
      "invalid_key",
      `Site "${site}" has ${MAX_KEYS} keys and tokens already. Revoke a ${word} that is no longer used: npm run sites -- ${revokeCommand} ${site} --id ID`,
    );
  }
  const { keyId, secretHash, expiresAt, password, segment } = args;
  if (segment !== undefined) await assertSegment(ctx, site, segment);
  const named = clampLine(name, MAX_KEY_NAME_LENGTH);
  const row = { site, keyId, secretHash, name: named, opens, createdAt: Date.now() };
  await ctx.db.insert("apiKeys", { ...row, expiresAt, password, segment });
  return null;
}

/** A link shows what there is. */
async function assertSegment(ctx: QueryCtx, site: string, name: string): Promise<void> {
  if ((await findSegment(ctx, site, name)) !== null) return;
  const known = (await listSegments(ctx, { site })).map((segment) => segment.name);
  throw callerError(
    "invalid_key",
    `Site "${site}" has no segment ${quoted(name)}. It has: ${known.join(", ") || "none"}. Keep one with npx convex run segments:add.`,
  );
}

/** A segment goes, and the links that show it with it: one that gets its name later is another. */
export async function revokeTokensOf(
  ctx: MutationCtx,
  site: string,
  segment: string,
): Promise<string[]> {
  const rows = (await readRows(ctx, site)).filter((row) => row.segment === segment);
  for (const row of rows) await ctx.db.delete("apiKeys", row._id);
  return rows.map(({ keyId }) => keyId);
}

export type ListedKey = {
  id: string;
  name: string;
  createdAt: number;
  expiresAt?: number | undefined;
  hasPassword?: boolean;
  segment?: string | undefined;
};

export async function list(ctx: QueryCtx, args: OfSite & OfKind): Promise<ListedKey[]> {
  const { slug } = await readSite(ctx, args.site);
  const rows = (await readRows(ctx, slug)).filter((row) => kindOf(row) === args.kind);
  return rows.map(({ keyId: id, name, createdAt, expiresAt, password, segment }) => ({
    ...{ id, name, createdAt, expiresAt, segment },
    ...(password === undefined ? {} : { hasPassword: true }),
  }));
}

export async function revoke(
  ctx: MutationCtx,
  args: OfSite & OfKind & { id: string },
): Promise<null> {
  const { slug } = await readSite(ctx, args.site);
  const row = await findRow(ctx, args.id);
  if (row?.site !== slug || kindOf(row) !== args.kind) {
    const { word, listCommand } = KINDS[args.kind];
    throw callerError(
      "invalid_key",
      `Site "${slug}" has no ${word} ${quoted(args.id)}. Its ${word}s: npm run sites -- ${listCommand} ${slug}`,
    );
  }
  await ctx.db.delete("apiKeys", row._id);
  return null;
}

/** What a key that somebody sends is compared with. */
export async function find(
  ctx: QueryCtx,
  args: { keyId: string },
): Promise<{ site: string; secretHash: string } | null> {
  const row = await findRow(ctx, args.keyId);
  if (row === null || kindOf(row) !== "send") return null;
  return { site: row.site, secretHash: row.secretHash };
}

/** The site that the key of an `Authorization` header opens; null when it opens none, whatever the reason. */
export async function siteOfKey(ctx: ActionCtx, header: string | null): Promise<string | null> {
  const bearer = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  const [, keyId = "", secret = ""] = KINDS.send.form.exec(bearer) ?? [];
  const found = await ctx.runQuery(internal.keys.find, { keyId });
  const isRight = isSameHash(await hashOf(secret), found?.secretHash ?? NO_HASH);
  return found !== null && isRight ? found.site : null;
}

export function tokenText(keyId: string, secret: string): string {
  return `${KINDS.read.prefix}_${keyId}_${secret}`;
}

/** By what a site's statistics open, and which segment alone; missing: all of them. */
export type Opened = {
  by: "token" | "token and password" | "another site" | "no token" | "nothing";
  segment?: string;
};

/** What any text opens of a site's statistics: a token that wants a password opens them by tokens:unlock alone. */
export async function openedBy(
  ctx: QueryCtx,
  { site, token }: { site: string; token: string },
): Promise<Opened> {
  if (!KINDS.read.form.test(token)) return { by: "no token" };
  const made = await findToken(ctx, token);
  const unlocked = made === null ? await findUnlocked(ctx, token) : null;
  // What was got for a token opens what that does, and nothing without it.
  const row = made ?? (unlocked === null ? null : await findRow(ctx, unlocked.gotFor));
  if (row === null || kindOf(row) !== "read") return { by: "nothing" };
  if (row.site !== site) return { by: "another site" };
  const isLocked = unlocked === null && row.password !== undefined;
  const by = isLocked ? "token and password" : "token";
  return row.segment === undefined ? { by } : { by, segment: row.segment };
}

/** The row of a token that an operator made; null where it is not one, or is over. */
export async function findToken(ctx: QueryCtx, token: string): Promise<Doc<"apiKeys"> | null> {
  const [, keyId = "", secret = ""] = KINDS.read.form.exec(token) ?? [];
  const row = await findRow(ctx, keyId);
  const isRight = await proves(secret, row);
  return row !== null && isRight && kindOf(row) === "read" ? row : null;
}

async function findUnlocked(ctx: QueryCtx, token: string): Promise<Doc<"unlockedTokens"> | null> {
  const [, keyId = "", secret = ""] = KINDS.read.form.exec(token) ?? [];
  const row = await ctx.db
    .query("unlockedTokens")
    .withIndex("by_keyId", (q) => q.eq("keyId", keyId))
    .first();
  return (await proves(secret, row)) ? row : null;
}

/** As long for a row that is not there as for a wrong secret. */
async function proves(
  secret: string,
  row: { secretHash: string; expiresAt?: number | undefined } | null,
): Promise<boolean> {
  const isRight = isSameHash(await hashOf(secret), row?.secretHash ?? NO_HASH);
  return row !== null && isRight && (row.expiresAt ?? Infinity) > Date.now();
}

function kindOf({ opens }: Doc<"apiKeys">): KeyKind {
  return opens === "reading" ? "read" : "send";
}

async function readRows(ctx: QueryCtx, site: string): Promise<Doc<"apiKeys">[]> {
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
