/** Owns: the form in which a condition is made or changed. Not: what becomes of it (FilterBar.tsx). */
import { useId } from "react";
import type { FormEvent } from "react";
import {
  faultOfFilter,
  FILTER_DIMENSIONS,
  FILTER_OPERATORS,
} from "../../../domain/filters/filter.ts";
import type { Condition, FilterDimension, FilterOperator } from "../../../domain/filters/filter.ts";
import { texts } from "../texts.ts";

type Props = {
  /** To begin with. */
  condition: Condition;
  apply: (condition: Condition) => void;
  cancel: () => void;
};

/** Several values are several lines; one is the rule. */
function read(form: HTMLFormElement): Condition {
  const fields = new FormData(form);
  const written = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    dimension: written("dimension") as FilterDimension,
    operator: written("operator") as FilterOperator,
    values: written("value").split(/\r?\n/),
  };
}

export function FilterForm({ condition, apply, cancel }: Props) {
  const { filters, dimensions } = texts.period;
  const hintId = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const made = read(form);
    const isNone = faultOfFilter([made]) !== null;
    const value = form.elements.namedItem("value");
    if (value instanceof HTMLTextAreaElement)
      value.setCustomValidity(isNone ? filters.invalid : "");
    if (isNone) form.reportValidity();
    else apply(made);
  };
  return (
    <form className="filter-form" onSubmit={submit} noValidate>
      <label>
        {filters.dimension}
        <select name="dimension" defaultValue={condition.dimension}>
          {FILTER_DIMENSIONS.map((one) => (
            <option key={one} value={one}>
              {dimensions[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {filters.operator}
        <select name="operator" defaultValue={condition.operator}>
          {FILTER_OPERATORS.map((one) => (
            <option key={one} value={one}>
              {filters.operators[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="filter-value">
        {filters.value}
        <textarea
          name="value"
          rows={Math.max(1, condition.values.length)}
          spellCheck={false}
          autoFocus
          aria-describedby={hintId}
          defaultValue={condition.values.join("\n")}
          onInput={({ currentTarget }) => currentTarget.setCustomValidity("")}
        />
      </label>
      <span className="filter-buttons">
        <button type="submit">{filters.apply}</button>
        <button type="button" className="quiet-button" onClick={cancel}>
          {filters.cancel}
        </button>
      </span>
      <span id={hintId} className="filter-hint">
        {filters.matchesHint}
      </span>
    </form>
  );
}
