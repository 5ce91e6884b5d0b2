/** Owns: what is told about a backfill: running, finished, failed, cancelled. Not: running it (convex/). */
import type { ReactNode } from "react";
import type { Backfill, Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import { isBackfillNews } from "./viewModel.ts";

function ProgressBar({ backfill }: { backfill: Backfill }) {
  const percent = Math.floor(backfill.doneRatio * 100);
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={texts.backfill.bar}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}

function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="notice-text tabular">
      <strong>{title}</strong> {children}
    </p>
  );
}

function RunningText({ backfill }: { backfill: Backfill }) {
  const { counted, remainingAtLeast, ratePerSecond, etaMs } = backfill;
  const parts = [texts.backfill.progress(counted, remainingAtLeast)];
  if (ratePerSecond >= 1) parts.push(texts.backfill.rate(ratePerSecond));
  if (etaMs !== null) parts.push(texts.backfill.etaLeft(etaMs));
  parts.push(texts.backfill.meanwhile);
  return <Notice title={texts.backfill.running}>{parts.join(" ")}</Notice>;
}

function StoppedText({ backfill }: { backfill: Backfill }) {
  const { failed, failedDetail, cancelled, cancelledDetail, command } = texts.backfill;
  const hasFailed = backfill.state === "failed";
  return (
    <Notice title={hasFailed ? failed : cancelled}>
      {(hasFailed ? failedDetail : cancelledDetail)(backfill.counted)} <code>{command}</code>
    </Notice>
  );
}

export function BackfillNotice({ stats, now }: { stats: Stats; now: number }) {
  const { backfill } = stats;
  if (backfill === null || !isBackfillNews(backfill, now)) return null;
  switch (backfill.state) {
    case "running":
      return (
        <section className="notice">
          <ProgressBar backfill={backfill} />
          <RunningText backfill={backfill} />
        </section>
      );
    case "done":
      return (
        <section className="notice">
          <p className="notice-text tabular">{texts.backfill.done(backfill.counted)}</p>
        </section>
      );
    case "failed":
    case "cancelled":
      return (
        <section className="notice">
          <StoppedText backfill={backfill} />
        </section>
      );
    default:
      return backfill.state satisfies never;
  }
}
