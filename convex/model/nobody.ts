/**
 * Owns: what becomes of a view of nobody: a row in the log that counts as a view, and no other row.
 * Not: whose views those are (identity.ts).
 *
 * It is in no visit, puts nobody online, and is the second view of nothing: without a visitor there is no window in
 * which a page counts once. Sent again under its event id it is a duplicate all the same.
 */
import { packValues } from "../../domain/dimensions/packed.ts";
import { valuesOfFirstView } from "../../domain/dimensions/view.ts";
import { IN_NO_VISIT } from "../../domain/rollups/visit.ts";
import type { MutationCtx } from "../_generated/server.js";
import { findViewOfPath } from "./history.ts";
import type { ViewOutcome } from "./shapes.ts";
import type { Admitted } from "./admission.ts";
import { wakeWorker } from "./waking.ts";

/** `hit.sessionId` is `idOfNobody` of its event. */
export async function countViewOfNobody(ctx: MutationCtx, arrival: Admitted): Promise<ViewOutcome> {
  const { site, hit, client, userAgent, countryHeader, now } = arrival;
  const isResend =
    hit.eventId !== undefined && (await findViewOfPath(ctx, site.slug, hit)) !== null;
  if (isResend) return { outcome: "duplicate" };
  const values = valuesOfFirstView(client, { userAgent, countryHeader, ownHosts: site.hosts });
  await ctx.db.insert("pageViews", {
    ...hit,
    visitSequence: IN_NO_VISIT,
    dimensions: packValues(values),
    timestamp: now,
    site: site.slug,
    commitTs: ctx.db.vars.commitTs,
  });
  await wakeWorker(ctx, site.slug, now);
  return { outcome: "counted" };
}
