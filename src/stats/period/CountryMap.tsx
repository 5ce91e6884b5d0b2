/** Owns: loading the map when its place comes into sight, and keeping that place free until then. Not: the map (WorldMap.tsx). */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { texts } from "../texts.ts";
import { MAP_HEIGHT, MAP_WIDTH } from "./mapSize.ts";
import type { Choosing } from "./RowList.tsx";
import type { Breakdown, RankBy } from "./panels.ts";

const WorldMap = lazy(() => import("./WorldMap.tsx"));

/** Once seen, it stays. */
function useSeen(ref: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || isSeen) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isSeen]);
  return isSeen;
}

type Props = { breakdown: Breakdown | undefined; rankBy: RankBy; choosing: Choosing | undefined };

export function CountryMap({ breakdown, rankBy, choosing }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(ref);
  const rowOf = (country: string) => ({
    ...{ key: country, label: country, size: 0, strong: "", quiet: "" },
  });
  return (
    <div ref={ref} className="country-map" style={{ aspectRatio: `${MAP_WIDTH} / ${MAP_HEIGHT}` }}>
      {isSeen && breakdown !== undefined && (
        <PanelBoundary fallback={() => <p className="panel-none">{texts.period.map.failed}</p>}>
          <Suspense>
            <WorldMap
              breakdown={breakdown}
              rankBy={rankBy}
              isChosen={(country) => choosing?.isChosen(rowOf(country)) ?? false}
              choose={(country) => choosing?.choose(rowOf(country))}
            />
          </Suspense>
        </PanelBoundary>
      )}
    </div>
  );
}
