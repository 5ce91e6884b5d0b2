/** Owns: the pages by views, and asking for more of them. Not: one row (PagesTable.tsx). */
import { usePaginatedQuery } from "convex/react";
import { useMemo, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { api } from "../../convex/_generated/api.js";
import { FailedPanel } from "./FailedPanel.tsx";
import { formatShare } from "./formats.ts";
import { PagesTable } from "./PagesTable.tsx";
import { EngagedPaths } from "./period/EngagedPaths.tsx";
import { askedOf, PAGE_TABS } from "./period/panels.ts";
import { BreakdownOf, PanelFrame, PanelTabs } from "./period/PeriodPanel.tsx";
import type { PanelProps } from "./period/PeriodPanel.tsx";
import { useEngagement } from "./period/useEngagement.ts";
import type { Period } from "./period/usePeriod.ts";
import { PanelBoundary } from "../shared/PanelBoundary.tsx";
import { useReaderArguments } from "./readerToken.ts";
import type { PageStat, Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import { shareOf } from "./viewModel.ts";

/** What one click adds. */
const PAGES_A_CLICK = 50;

type FootProps = {
  pages: readonly PageStat[];
  stats: Stats;
  more: { readonly isLoading: boolean; readonly load: () => void } | null;
};

function PanelFoot({ pages, stats, more }: FootProps) {
  const views = pages.reduce((sum, page) => sum + page.views, 0);
  const coverage = formatShare(shareOf(views, stats.totalPageViews));
  const isAll = pages.length >= stats.pagesTotal;
  return (
    <p className="panel-foot tabular">
      <span>
        {texts.pages.shown(pages.length, Math.max(stats.pagesTotal, pages.length))}
        {!isAll && `, ${texts.pages.coverage(coverage)}`}
      </span>
      {more !== null && !isAll && (
        <button
          type="button"
          className="quiet-button"
          onClick={more.load}
          disabled={more.isLoading}
        >
          {more.isLoading ? texts.pages.loadingMore : texts.pages.more}
        </button>
      )}
    </p>
  );
}

/** Mounted with the first "show more": from then on the list is paged. Until its first page is there, the old rows stay. */
function MorePages({ stats }: { stats: Stats }) {
  const { results, status, loadMore } = usePaginatedQuery(
    api.stats.listPages,
    useReaderArguments(),
    { initialNumItems: stats.pageStats.length + PAGES_A_CLICK },
  );
  const pages = status === "LoadingFirstPage" ? stats.pageStats : results;
  const more =
    status === "Exhausted"
      ? null
      : { isLoading: status !== "CanLoadMore", load: () => loadMore(PAGES_A_CLICK) };
  return (
    <>
      <PagesTable pages={pages} stats={stats} />
      <PanelFoot pages={pages} stats={stats} more={more} />
    </>
  );
}

function FirstPages({ stats, openMore }: { stats: Stats; openMore: () => void }) {
  return (
    <>
      <PagesTable pages={stats.pageStats} stats={stats} />
      {stats.pageStats.length > 0 ? (
        <PanelFoot
          pages={stats.pageStats}
          stats={stats}
          more={{ isLoading: false, load: openMore }}
        />
      ) : (
        <p className="panel-none">{texts.pages.none}</p>
      )}
    </>
  );
}

function PagesEver({ stats }: { stats: Stats }) {
  const [isPaged, setIsPaged] = useState(false);
  if (!isPaged) return <FirstPages stats={stats} openMore={() => setIsPaged(true)} />;
  return (
    <PanelBoundary
      fallback={(error, retry) => (
        <FailedPanel
          title={texts.failed.morePages}
          source="stats:listPages"
          error={error}
          retry={retry}
        />
      )}
    >
      <MorePages stats={stats} />
    </PanelBoundary>
  );
}

const EVER = "ever";
/** Only where pages reported how long they were in use. */
const ENGAGED = "engaged";

/** Which function a tab asks, where it is no breakdown. */
const ASKED_FUNCTIONS: Readonly<Record<string, string>> = {
  [EVER]: "stats:getPanels",
  [ENGAGED]: "reports:engagedPaths",
};

type PageTab = (typeof PAGE_TABS)[number]["name"] | typeof EVER | typeof ENGAGED;

/** Whether any page of the period reported it, whatever filter there is. */
function useIsEngaged(period: Period): boolean {
  const ofAll = useMemo(() => ({ ...period, asked: { ...period.asked, filter: [] } }), [period]);
  return useEngagement(ofAll) !== null;
}

/** All pages ever, with who is on them now; and those of the period. Who has chosen a period sees that first. */
export function PagesPanel({ stats, ...panel }: PanelProps & { stats: Stats }) {
  const [parameters] = useSearchParams();
  const [chosen, setName] = useState<PageTab>(parameters.has("period") ? "period" : EVER);
  // Of all time, and of time spent, there is no list under a filter.
  const isFiltered = panel.period.asked.filter.length > 0;
  const name = isFiltered && (chosen === EVER || chosen === ENGAGED) ? "period" : chosen;
  const isEngaged = useIsEngaged(panel.period);
  const tab = PAGE_TABS.find((one) => one.name === name);
  const titles: PageTab[] = PAGE_TABS.map((one) => one.name);
  if (!isFiltered) titles.unshift(EVER);
  if (!isFiltered && (isEngaged || name === ENGAGED)) titles.push(ENGAGED);
  const tabs = titles.map((one) => ({ name: one, title: texts.period.tabs[one] }));
  return (
    <PanelFrame
      heading={texts.pages.heading}
      source={ASKED_FUNCTIONS[name] ?? "reports:breakdown"}
      asked={askedOf(panel.reach, name)}
      tabs={<PanelTabs label={texts.pages.heading} tabs={tabs} shown={name} show={setName} />}
    >
      {name === ENGAGED && <EngagedPaths {...panel} />}
      {name === EVER && <PagesEver stats={stats} />}
      {tab !== undefined && <BreakdownOf key={tab.name} tab={tab} {...panel} />}
    </PanelFrame>
  );
}
