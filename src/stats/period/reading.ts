/**
 * Owns: the rows that say how pages were read: how far they were scrolled, their Web Vitals, and whether somebody
 * touched them.
 * Not: measuring (src/tracking/parts/), or drawing them (ReadingPanel.tsx).
 */
import { formatCount, formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import { shareOf } from "../viewModel.ts";
import type { Engagement } from "./engagement.ts";
import type { ListRow } from "./listRow.ts";

export const READING_TABS = ["scroll", "vitals", "touch"] as const;
export type ReadingTab = (typeof READING_TABS)[number];

/** Undefined where no page reported it. */
export function readingRows(tab: ReadingTab, engagement: Engagement): ListRow[] | undefined {
  switch (tab) {
    case "scroll":
      return engagement.scroll === null ? undefined : scrollRows(engagement);
    case "vitals":
      return engagement.vitals.length === 0 ? undefined : engagement.vitals.map(vitalRow);
    case "touch":
      return engagement.interacting === null ? undefined : touchRows(engagement);
  }
  return tab satisfies never;
}

function scrollRows({ reached, views }: Engagement): ListRow[] {
  return reached.map(({ percent, ...of }) => ({
    key: String(percent),
    label: texts.period.reading.reached(percent),
    size: of.views,
    strong: formatCount(of.views),
    quiet: formatShare(shareOf(of.views, views)),
  }));
}

type Vital = Engagement["vitals"][number];

/** Google rates a page by what three quarters of its views are better than. https://web.dev/articles/vitals */
export function ratingOf({ p75, good, poor }: Vital): "good" | "fair" | "poor" {
  if (p75 <= good) return "good";
  return p75 > poor ? "poor" : "fair";
}

function vitalRow(vital: Vital): ListRow {
  const { names, ratings } = texts.period.reading;
  const { name, p75, views, goodViews } = vital;
  return {
    key: name,
    label: `${names[name]}: ${ratings[ratingOf(vital)]}`,
    size: goodViews / views,
    strong: name === "cls" ? p75.toFixed(2) : `${(p75 / 1_000).toFixed(2)} s`,
    quiet: formatShare(shareOf(goodViews, views)),
  };
}

function touchRows({ interacting, views }: Engagement): ListRow[] {
  const { people = 0, synthetic = 0 } = interacting ?? {};
  const { touched } = texts.period.reading;
  const counts = { people, synthetic, neither: views - people - synthetic };
  return (["people", "neither", "synthetic"] as const).map((name) => ({
    key: name,
    label: touched[name],
    size: counts[name],
    strong: formatCount(counts[name]),
    quiet: formatShare(shareOf(counts[name], views)),
  }));
}
