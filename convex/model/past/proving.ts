/**
 * Owns: a proof from day to day, then over the totals, to its result in `checks`; a repair is one that puts right what
 * it finds.
 * Not: the comparisons (comparing.ts, totals.ts).
 */
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { internal } from "../../_generated/api.js";
import { compareDay, compareMonth } from "./comparing.ts";
import type { Findings } from "./comparing.ts";
import { countDay, endJob } from "./jobs.ts";
import type { Place } from "./recount.ts";
import { beginDay } from "./tasks.ts";
import type { DayTask, ProofTask } from "./tasks.ts";
import { comparePagesTotal, comparePaths, compareTotals } from "./totals.ts";

/** Findings that are kept in words; `drift` counts all. */
const MAX_FOUND = 20;

export type Proved = { task: DayTask | null; proof: ProofTask | null; isBusy: boolean };

/** Goes on with the day or month that is being compared. */
export async function proveDay(
  ctx: MutationCtx,
  place: Place,
  sealing: Doc<"sealing">,
  { task, proof }: { task: DayTask; proof: ProofTask },
): Promise<Proved> {
  const isMonth = task.phase === "month";
  const compared = isMonth
    ? await compareMonth(ctx, place, task)
    : await compareDay(ctx, place, task, sealing);
  if (compared.isOutdated) return { task: null, proof, isBusy: false };
  const after = note(proof, compared.findings);
  if (compared.task !== null) return { task: compared.task, proof: after, isBusy: false };
  if (isMonth) return { task: null, proof: after, isBusy: false };
  await countDay(ctx, place.site, "proof");
  const done = {
    ...after,
    next: task.endsAt,
    days: after.days + 1,
    rows: after.rows + compared.rows,
  };
  return { task: monthAfter(place, sealing, task), proof: done, isBusy: false };
}

/** The next step where no day is at work: the next day, or the totals. Null as proof: done. */
export async function proveNext(
  ctx: MutationCtx,
  place: Place,
  sealing: Doc<"sealing">,
  proof: ProofTask,
): Promise<Proved> {
  switch (proof.phase) {
    case "days": {
      if (proof.next >= proof.until || proof.isRepair)
        return proceed({ ...proof, phase: "totals" });
      const bucket = place.calendar.bucketAt("day", proof.next);
      return { task: beginDay("prove", bucket), proof, isBusy: false };
    }
    case "totals": {
      await settleAll(ctx, place.site);
      const findings = await compareTotals(ctx, place, sealing, proof);
      if (findings === null) return { task: null, proof, isBusy: true };
      return proceed({ ...note(proof, findings), phase: "paths" });
    }
    case "paths":
      return await provePaths(ctx, place, sealing, proof);
    default:
      return proof.phase satisfies never;
  }
}

async function provePaths(
  ctx: MutationCtx,
  place: Place,
  sealing: Doc<"sealing">,
  proof: ProofTask,
): Promise<Proved> {
  await settleAll(ctx, place.site);
  const compared = await comparePaths(ctx, place, sealing, proof);
  if (compared === null) return { task: null, proof, isBusy: true };
  const after = note(proof, compared.findings);
  const pages = after.pages + compared.counted;
  if (compared.cursor !== null) return proceed({ ...after, cursor: compared.cursor, pages });
  // Pages that come while the others are walked would be missed: only one look at all of them tells how many there are.
  const isOneLook = proof.cursor === null;
  const missing = isOneLook
    ? await comparePagesTotal(ctx, place.site, { pages, isRepair: proof.isRepair })
    : [];
  await conclude(ctx, place.site, note({ ...after, pages }, missing));
  return { task: null, proof: null, isBusy: false };
}

/** What waits for the worker is in no total yet. */
async function settleAll(ctx: MutationCtx, site: string): Promise<void> {
  await ctx.runMutation(internal.operators.settle, { site });
}

function proceed(proof: ProofTask): Proved {
  return { task: null, proof, isBusy: false };
}

/** A sealed month is compared once its last day is. */
function monthAfter(
  { calendar }: Place,
  { monthsUntil }: Doc<"sealing">,
  { endsAt }: DayTask,
): DayTask | null {
  const month = calendar.bucketAt("month", endsAt - 1);
  if (month.endsAt !== endsAt || month.endsAt > monthsUntil) return null;
  return { ...beginDay("prove", month), phase: "month" };
}

function note(proof: ProofTask, findings: Findings): ProofTask {
  return {
    ...proof,
    drift: proof.drift + findings.length,
    found: [...proof.found, ...findings].slice(0, MAX_FOUND),
  };
}

async function conclude(ctx: MutationCtx, site: string, proof: ProofTask): Promise<void> {
  const { from, to, days, rows, drift, found, isRepair } = proof;
  const finishedAt = Date.now();
  await ctx.db.insert("checks", {
    site,
    from,
    to,
    finishedAt,
    days,
    rows,
    drift,
    found,
    isRepair,
  });
  await endJob(ctx, site, "proof", { state: "done" });
  if (drift > 0 && !isRepair) {
    console.error(
      `Site "${site}", ${from} to ${to}: ${drift} figures are not what the log says, first: ${found[0] ?? ""}. ` +
        `Put them right with: npx convex run stats:repair '${JSON.stringify({ site, from, to })}'`,
    );
  }
}
