/** Owns: saying that the period is of one value alone, and going back to all. */
import { texts } from "../texts.ts";
import type { Only } from "./address.ts";
import type { ChangeAddress } from "./usePeriod.ts";
import { valueLabel } from "./values.ts";

export function OnlyChip({ only, change }: { only: Only | null; change: ChangeAddress }) {
  if (only === null) return null;
  const { dimensions, only: words } = texts.period;
  return (
    <p className="only">
      <span className="chip">
        <span className="chip-name">{dimensions[only.dimension]}</span>{" "}
        <bdi>{words.is(valueLabel(only.dimension, only.value))}</bdi>
        <button type="button" aria-label={words.all} onClick={() => change("only", null)}>
          ×
        </button>
      </span>
      <span className="only-note">{words.note}</span>
    </p>
  );
}
