/** Owns: the period: choosing it, its figures, its trend. Not: its breakdowns (PeriodPanel.tsx). */
import { FailedPanel } from "../FailedPanel.tsx";
import { texts } from "../texts.ts";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FilterBar } from "./FilterBar.tsx";
import { FilterProgress } from "./FilterProgress.tsx";
import { PeriodBar } from "./PeriodBar.tsx";
import { PeriodMetrics } from "./PeriodMetrics.tsx";
import { Trend } from "./Trend.tsx";
import { useAskFilter } from "./useAskFilter.ts";
import { useEngagement } from "./useEngagement.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";
import { useReports } from "./useReports.ts";

type Props = { period: Period; change: ChangeAddress; now: number; site: string };

function PeriodContent({ period, change, now }: Omit<Props, "site">) {
  const answer = useReports(period);
  const engaged = useEngagement(period);
  const refused = useAskFilter(period);
  switch (answer.kind) {
    case "loading":
      return <div className="period-loading" aria-busy="true" />;
    case "failed":
      throw answer.error;
    case "ready":
      return (
        <div className="period-content" data-of-before={answer.isOfBefore}>
          <FilterProgress reports={answer.reports} refused={refused} />
          <PeriodMetrics reports={answer.reports} engaged={engaged} now={now} />
          <Trend reports={answer.reports} period={period} now={now} change={change} />
        </div>
      );
    default:
      return answer satisfies never;
  }
}

export function PeriodSection(props: Props) {
  const { period, change, site } = props;
  return (
    <section className="period" aria-label={texts.period.label}>
      <PeriodBar period={period} change={change} site={site} />
      <FilterBar period={period} change={change} site={site} />
      <PanelBoundary
        resetOn={JSON.stringify([period.span, period.compared, period.asked])}
        fallback={(error, retry) => (
          <FailedPanel
            title={texts.failed.period}
            source="reports:summary, reports:timeseries"
            error={error}
            retry={retry}
          />
        )}
      >
        <PeriodContent {...props} />
      </PanelBoundary>
    </section>
  );
}
