/**
 * Owns: what a page reports of one view: how long it was engaged with, how far it was scrolled, its Web Vitals, whether
 * somebody touched it; what of it can be, and the highest of several reports.
 * Not: which view it is (convex/model/engagement/), or what reports add up to (cell.ts).
 *
 * The figures are cumulative, so the highest of each is the newest, in whatever order reports arrive and however often.
 */
import { DAY_MS } from "../calendar/civil.ts";
import { isHumanVerdict, standingVerdict } from "./human.ts";
import type { HumanVerdict } from "./human.ts";
import { VITAL_NAMES, acceptVital } from "./vitals.ts";
import type { VitalName } from "./vitals.ts";

export type Vitals = Partial<Record<VitalName, number>>;

export interface Reported {
  engagedMs: number;
  /** 0..100 */
  scrollPercent: number;
  vitals: Vitals;
  /** Missing when nothing was touched, or the page does not listen. */
  human?: HumanVerdict | undefined;
}

/** Nobody reads a page for longer without a night between. */
export const MAX_ENGAGED_MS = DAY_MS;

/** As a page said it, in whole numbers that can be. What is no number at all is as if it had not been said. */
export function acceptReported(said: {
  engagedMs?: number | undefined;
  scrollPercent?: number | undefined;
  vitals?: Partial<Record<VitalName, number | undefined>> | undefined;
  human?: HumanVerdict | undefined;
}): Reported {
  const vitals: Vitals = {};
  for (const name of VITAL_NAMES) {
    const value = said.vitals?.[name];
    if (value !== undefined && !Number.isNaN(value)) vitals[name] = acceptVital(name, value);
  }
  return {
    engagedMs: wholeWithin(said.engagedMs, MAX_ENGAGED_MS),
    scrollPercent: wholeWithin(said.scrollPercent, 100),
    vitals,
    ...verdictOf(said.human),
  };
}

/** Nobody can have been engaged for longer than the view is there. */
export function engagedWithin(engagedMs: number, sinceViewMs: number): number {
  return Math.min(engagedMs, MAX_ENGAGED_MS, Math.max(0, Math.floor(sinceViewMs)));
}

/** Of each figure the higher one, and of the verdicts the one that stands. */
export function highest(before: Reported, after: Reported): Reported {
  const vitals: Vitals = {};
  for (const name of VITAL_NAMES) {
    const values = [before.vitals[name], after.vitals[name]].filter((value) => value !== undefined);
    if (values.length > 0) vitals[name] = Math.max(...values);
  }
  return {
    engagedMs: Math.max(before.engagedMs, after.engagedMs),
    scrollPercent: Math.max(before.scrollPercent, after.scrollPercent),
    vitals,
    ...verdictOf(standingVerdict(before.human, after.human)),
  };
}

const SEPARATOR = " ";

/** One short text that a person can still read; equal reports have equal texts. What was not reported is "-", and left out at the end: so what may be said more one day is appended, and older texts stay readable. */
export function packReported({ engagedMs, scrollPercent, vitals, human }: Reported): string {
  const measured = VITAL_NAMES.map((name) => vitals[name]?.toString() ?? "-");
  const texts = [String(engagedMs), String(scrollPercent), ...measured, human ?? "-"];
  return texts.join(SEPARATOR).replace(/( -)+$/, "");
}

/** Throws for a text that packReported does not give. */
export function unpackReported(packed: string): Reported {
  const [engaged = "", scrolled = "", ...others] = packed.split(SEPARATOR);
  const vitals: Vitals = {};
  for (const [place, name] of VITAL_NAMES.entries()) {
    const text = others[place] ?? "-";
    if (text !== "-") vitals[name] = numberIn(text, packed);
  }
  const human = others[VITAL_NAMES.length] ?? "-";
  const isKnown = human === "-" || isHumanVerdict(human);
  if (!isKnown || others.length > VITAL_NAMES.length + 1) throw damaged(packed);
  return {
    engagedMs: numberIn(engaged, packed),
    scrollPercent: numberIn(scrolled, packed),
    vitals,
    ...verdictOf(human === "-" ? undefined : human),
  };
}

function verdictOf(human: HumanVerdict | undefined): { human?: HumanVerdict } {
  return human === undefined ? {} : { human };
}

function wholeWithin(value: number | undefined, most: number): number {
  if (value === undefined || Number.isNaN(value)) return 0;
  return Math.round(Math.min(most, Math.max(0, value)));
}

function numberIn(text: string, packed: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw damaged(packed);
}

function damaged(packed: string): Error {
  return new Error(
    `These are no figures of a view: ${JSON.stringify(packed.slice(0, 64))}. Wanted such as "360000 80 2500".`,
  );
}
