/** Owns: choosing with what the period is compared. Not: which days those are (span.ts). */
import { useState } from "react";
import { texts } from "../texts.ts";
import { DaysForm } from "./DaysForm.tsx";
import { WAYS_TO_COMPARE } from "./span.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";

const OWN_DAYS = "days";
const CHOICES = [...WAYS_TO_COMPARE, OWN_DAYS] as const;
const FIRST_CHOICE = WAYS_TO_COMPARE[0];

export function CompareChoice({ period, change }: { period: Period; change: ChangeAddress }) {
  const { compare } = period.asked;
  const [isChoosing, setIsChoosing] = useState(false);
  const hasOwnDays = isChoosing || typeof compare !== "string";
  const choose = (how: string) => {
    setIsChoosing(how === OWN_DAYS);
    if (how !== OWN_DAYS) change("compare", how === FIRST_CHOICE ? null : how);
  };
  return (
    <div className="compare">
      <label>
        {texts.period.compare}
        <select
          value={hasOwnDays ? OWN_DAYS : compare}
          onChange={({ target }) => choose(target.value)}
        >
          {CHOICES.map((how) => (
            <option key={how} value={how}>
              {texts.period.comparisons[how]}
            </option>
          ))}
        </select>
      </label>
      {hasOwnDays && (
        <DaysForm
          span={period.compared ?? period.span}
          calendar={period.calendar}
          title={texts.period.chooseCompared}
          isOpenAtFirst={isChoosing}
          choose={(days) => {
            change("compare", days);
            setIsChoosing(false);
          }}
        />
      )}
    </div>
  );
}
