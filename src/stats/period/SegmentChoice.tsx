/** Owns: choosing a filter that operators keep under a name, and how to keep this one. Not: other filters (FilterBar.tsx). */
import { api } from "../../../convex/_generated/api.js";
import { keyOf } from "../../../domain/filters/filter.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { filterText } from "../../../domain/filters/text.ts";
import { texts } from "../texts.ts";
import { useReport } from "./useReport.ts";

type Props = { filter: Filter; site: string; set: (filter: Filter) => void };

/** For a shell: JSON within single quotes. */
export function commandToKeep(filter: Filter, site: string): string {
  const args = JSON.stringify({ site, name: "…", filter: filterText(filter) });
  return `npx convex run segments:add '${args.replaceAll("'", "'\\''")}'`;
}

export function SegmentChoice({ filter, site, set }: Props) {
  const { filters } = texts.period;
  const { report: segments = [] } = useReport(api.filters.segments, {});
  const shown = segments.find((segment) => keyOf(segment.filter) === keyOf(filter));
  const choose = (name: string) => {
    const segment = segments.find((one) => one.name === name);
    if (segment !== undefined) set(segment.filter);
  };
  return (
    <>
      {segments.length > 0 && (
        <li>
          <select
            aria-label={filters.segments}
            value={shown?.name ?? ""}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{filters.segments}</option>
            {segments.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </li>
      )}
      {filter.length > 0 && shown === undefined && (
        <li>
          <details className="keep-filter">
            <summary className="quiet-button">{filters.save}</summary>
            <p>
              {filters.saveHow} <code>{commandToKeep(filter, site)}</code>
            </p>
          </details>
        </li>
      )}
    </>
  );
}
