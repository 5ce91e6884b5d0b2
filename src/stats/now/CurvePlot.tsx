/** Owns: the curve of a day, drawn; and walking along it by pointer and arrow keys. Not: its values (curve.ts). */
import { useState } from "react";
import type { KeyboardEvent } from "react";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { formatCount, formatTime } from "../formats.ts";
import { texts } from "../texts.ts";
import { linePath, tickPlaces } from "./curve.ts";
import type { Curve, CurveSlot } from "./curve.ts";

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)}%`;

/** How far the keys that leap go: an hour. */
const LEAP = 4;

function useWalk(count: number, from: number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setChosen(null);
    const at = chosen ?? from;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      PageDown: at - LEAP,
      PageUp: at + LEAP,
      Home: 0,
      End: from,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(count - 1, place)));
  };
  return { chosen, setChosen, onKeyDown };
}

type Props = {
  curve: Curve;
  /** Of the scale, from zero up. */
  lines: readonly number[];
  dayBefore: string;
  calendar: Calendar;
};

function Lines({ slots, top }: { slots: readonly CurveSlot[]; top: number }) {
  const today = slots.map((slot) => slot.today);
  const known = today.filter((value) => value !== null).length;
  const line = linePath(today, top);
  const body = `M0.5 ${top}L${line.slice(1)}V${top}Z`;
  return (
    <svg
      className="curve-lines"
      viewBox={`0 0 ${slots.length} ${top}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {known > 0 && <path className="curve-body" d={body} />}
      <path
        className="curve-before"
        d={linePath(
          slots.map((slot) => slot.before),
          top,
        )}
      />
      {known > 0 && <path className="curve-today" d={line} />}
    </svg>
  );
}

type MarksProps = { curve: Curve; top: number; chosen: number | null };

function Marks({ curve: { slots, current }, top, chosen }: MarksProps) {
  const middle = (place: number) => percent(place + 0.5, slots.length);
  const height = percent(slots[current]?.today ?? 0, top);
  return (
    <>
      {chosen !== null && (
        <span className="curve-chosen" style={{ left: middle(chosen) }} aria-hidden="true" />
      )}
      {current >= 0 && (
        <span
          className="curve-dot"
          style={{ left: middle(current), bottom: height }}
          aria-hidden="true"
        />
      )}
    </>
  );
}

/** Shares of the width, on a phone too. */
const CURRENT_TAKES = 0.2;
const HALF_A_LABEL = 0.05;

function Ticks({ curve: { slots, current }, calendar }: Pick<Props, "curve" | "calendar">) {
  const online = slots[current]?.today ?? null;
  const isRight = current > slots.length / 2;
  const fromSide = isRight ? slots.length - 1 - current : current;
  // What is now is written towards the middle; on its other side half a label has to fit.
  const isNear = (place: number) => {
    const ahead = (isRight ? current - place : place - current) / slots.length;
    return current >= 0 && ahead > -HALF_A_LABEL && ahead < CURRENT_TAKES;
  };
  return (
    <div className="trend-ticks" aria-hidden="true">
      {online !== null && (
        <span
          className="trend-now tabular"
          style={{ [isRight ? "right" : "left"]: percent(fromSide, slots.length) }}
        >
          {texts.curve.now(online)}
        </span>
      )}
      {tickPlaces(slots, calendar).map((place) => (
        <span
          key={place}
          style={{ left: percent(place, slots.length) }}
          data-first={place === 0}
          data-near-now={isNear(place)}
        >
          {formatTime(slots[place]?.startsAt ?? 0, calendar)}
        </span>
      ))}
    </div>
  );
}

export function CurvePlot({ curve, lines, dayBefore, calendar }: Props) {
  const { slots, current } = curve;
  const top = lines.at(-1) ?? 1;
  const { chosen, setChosen, onKeyDown } = useWalk(
    slots.length,
    current < 0 ? slots.length - 1 : current,
  );
  const slot = chosen === null ? undefined : slots[chosen];
  const choose = (x: number, { left, width }: DOMRect) =>
    setChosen(
      Math.max(0, Math.min(slots.length - 1, Math.floor(((x - left) / width) * slots.length))),
    );
  return (
    <div className="trend-plot">
      <p className="trend-readout tabular" role="status">
        {slot === undefined
          ? ""
          : texts.curve.slot(formatTime(slot.startsAt, calendar), slot, dayBefore)}
      </p>
      <div className="trend-scale" aria-hidden="true">
        {lines.map((line) => (
          <span key={line} className="tabular" style={{ bottom: percent(line, top) }}>
            {formatCount(line)}
          </span>
        ))}
      </div>
      <div
        className="trend-area"
        role="group"
        tabIndex={0}
        aria-label={texts.curve.walk}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerMove={(event) =>
          choose(event.clientX, event.currentTarget.getBoundingClientRect())
        }
        onPointerLeave={() => setChosen(null)}
      >
        {lines.map((line) => (
          <span key={line} className="trend-grid" style={{ bottom: percent(line, top) }} />
        ))}
        <Lines slots={slots} top={top} />
        <Marks {...{ curve, top, chosen }} />
      </div>
      <Ticks curve={curve} calendar={calendar} />
    </div>
  );
}
