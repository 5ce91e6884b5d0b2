/** Owns: which filter there is, in words, and changing it. Not: its numbers, or how far they are (FilterProgress.tsx). */
import { useState } from "react";
import type { Condition, Filter } from "../../../domain/filters/filter.ts";
import { filterText } from "../../../domain/filters/text.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { texts } from "../texts.ts";
import { writeFilter } from "./address.ts";
import { FilterForm } from "./FilterForm.tsx";
import { withCondition, without } from "./filtering.ts";
import { SegmentChoice } from "./SegmentChoice.tsx";
import type { ChangeAddress, Period } from "./usePeriod.ts";
import { valueLabel } from "./values.ts";

type Props = { period: Period; change: ChangeAddress; site: string };

/** What a new condition begins as. */
const BLANK: Condition = { dimension: "path", operator: "is", values: [""] };

type Edited = { readonly place: number | null; readonly condition: Condition };

export function conditionInWords({ dimension, operator, values }: Condition): string {
  const { filters, dimensions } = texts.period;
  const isWhole = operator === "is" || operator === "isNot";
  const named = values.map((value) => (isWhole ? valueLabel(dimension, value) : value));
  return `${dimensions[dimension]} ${filters.operators[operator]} ${named.join(filters.or)}`;
}

type ChipProps = { condition: Condition; edit: () => void; remove: () => void };

function Chip({ condition, edit, remove }: ChipProps) {
  const { filters } = texts.period;
  const words = conditionInWords(condition);
  return (
    <li className="chip">
      <button type="button" className="chip-text" aria-label={filters.edit(words)} onClick={edit}>
        <bdi>{words}</bdi>
      </button>
      <button type="button" aria-label={filters.remove(words)} onClick={remove}>
        ×
      </button>
    </li>
  );
}

export function FilterBar({ period, change, site }: Props) {
  const { filter } = period.asked;
  const { filters } = texts.period;
  const isAlone = useIsSegmentAlone();
  const [edited, setEdited] = useState<Edited | null>(null);
  const set = (next: Filter) => {
    setEdited(null);
    change("filter", writeFilter(next));
  };
  return (
    <div className="filters" role="group" aria-label={filters.label}>
      <ul className="chips">
        {filter.map((condition, place) => (
          <Chip
            key={filterText([condition])}
            condition={condition}
            edit={() => setEdited({ place, condition })}
            remove={() => set(without(filter, place))}
          />
        ))}
        <li>
          <button
            type="button"
            className="quiet-button"
            aria-expanded={edited !== null}
            onClick={() => setEdited(edited === null ? { place: null, condition: BLANK } : null)}
          >
            {filters.add}
          </button>
        </li>
        {filter.length > 1 && (
          <li>
            <button type="button" className="quiet-button" onClick={() => set([])}>
              {filters.clear}
            </button>
          </li>
        )}
        {!isAlone && <SegmentChoice filter={filter} site={site} set={set} />}
      </ul>
      {edited !== null && (
        <FilterForm
          key={filterText([edited.condition])}
          condition={edited.condition}
          cancel={() => setEdited(null)}
          apply={(made) => {
            const others = edited.place === null ? filter : without(filter, edited.place);
            set(withCondition(others, made));
          }}
        />
      )}
    </div>
  );
}
