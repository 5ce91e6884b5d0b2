/**
 * Owns: the secret salts of UTC days: made a day ahead, found by hits, deleted once the day after theirs is over.
 * Not: the ids and hashes that are made with them (identity.ts, addressHash.ts).
 *
 * Their bytes come from an action, because Convex refuses `crypto.getRandomValues` to mutations, and the seed of
 * `Math.random` there is no secret. So a hit cannot make one: the cron makes that of tomorrow while today's is in use.
 * Only where no cron has run for a day is there none; the hit that finds it so asks for it, and is of nobody.
 */
import { DAY_MS, utcDayOf } from "../../domain/calendar/civil.ts";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { ActionCtx, MutationCtx, QueryCtx } from "../_generated/server.js";
import { randomHex } from "./secrets.ts";

/** As long as the hash: whoever knows an id and every address must guess all of it. */
const SALT_BYTES = 32;

/** Salts there are at a time: of yesterday, today and tomorrow; and those of days on which nobody cleared away. */
const MAX_SALTS = 100;

type Salts = { today: string | null; yesterday: string | null };

/** The salts with which a hit of this moment may be told apart: no older one is looked at, whether it is deleted yet or not. */
export async function readSalts(ctx: QueryCtx, now: number): Promise<Salts> {
  const today = utcDayOf(now);
  const rows = await ctx.db
    .query("salts")
    .withIndex("by_startsAt", (q) => q.gte("startsAt", today - DAY_MS).lte("startsAt", today))
    .take(2);
  const saltOf = (day: number) => rows.find(({ startsAt }) => startsAt === day)?.salt ?? null;
  return { today: saltOf(today), yesterday: saltOf(today - DAY_MS) };
}

/** From the hourly cron: deletes what has served its time, and makes what is missing. */
export async function tend(ctx: MutationCtx): Promise<null> {
  const yesterday = utcDayOf(Date.now()) - DAY_MS;
  for (const { _id, startsAt } of await readAll(ctx)) {
    if (startsAt < yesterday) await ctx.db.delete("salts", _id);
  }
  await ensureSalts(ctx);
  return null;
}

/** Has today's and tomorrow's made where one is missing. */
export async function ensureSalts(ctx: MutationCtx): Promise<void> {
  const made = (await readAll(ctx)).map(({ startsAt }) => startsAt);
  if (neededDays().some((day) => !made.includes(day))) await requestSalts(ctx);
}

export async function requestSalts(ctx: MutationCtx): Promise<void> {
  await ctx.scheduler.runAfter(0, internal.salts.make, {});
}

export async function make(ctx: ActionCtx): Promise<null> {
  const salts = neededDays().map((startsAt) => ({ startsAt, salt: randomHex(SALT_BYTES) }));
  await ctx.runMutation(internal.salts.store, { salts });
  return null;
}

/** A day that has its salt keeps it, whoever comes second. */
export async function store(
  ctx: MutationCtx,
  { salts }: { salts: { startsAt: number; salt: string }[] },
): Promise<null> {
  const made = (await readAll(ctx)).map(({ startsAt }) => startsAt);
  for (const salt of salts) {
    if (!made.includes(salt.startsAt)) await ctx.db.insert("salts", salt);
  }
  return null;
}

function neededDays(): number[] {
  const today = utcDayOf(Date.now());
  return [today, today + DAY_MS];
}

async function readAll(ctx: QueryCtx): Promise<Doc<"salts">[]> {
  return await ctx.db.query("salts").withIndex("by_startsAt").take(MAX_SALTS);
}
