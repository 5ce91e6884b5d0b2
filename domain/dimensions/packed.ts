/**
 * Owns: the dimensions of a view as one short text that a person can still read, and back.
 * Not: where the values come from (view.ts).
 *
 * One line a value, in a fixed order, empty ones at the end left out. A value that goes on where the one before
 * stops is a tab and its rest: after "Chrome", "Chrome 131" is "\t 131". Values are single lines without control
 * characters (value.ts), so neither mark can be in one.
 */
import type { ValueDimension } from "../rollups/dimension.ts";

export type ViewValues = Partial<Record<ValueDimension, string>>;

/** Stored texts name a value by its place: only append. The page type is a field of its own. */
const ORDER = [
  "host",
  "referrerHost",
  "referrer",
  "source",
  "channel",
  "utmSource",
  "utmMedium",
  "utmCampaign",
  "utmTerm",
  "utmContent",
  "browser",
  "browserVersion",
  "system",
  "systemVersion",
  "device",
  "screen",
  "language",
  "timeZone",
  "country",
] as const satisfies readonly ValueDimension[];

const CONTINUES = "\t";

/** Equal values give equal texts. */
export function packValues(values: Readonly<ViewValues>): string {
  let before = "";
  const lines = ORDER.map((name) => {
    const value = values[name] ?? "";
    const continues = before !== "" && value.startsWith(before);
    const line = continues ? CONTINUES + value.slice(before.length) : value;
    before = value;
    return line;
  });
  return lines.join("\n").replace(/\n+$/, "");
}

/** A dimension that is missing in the text is "". */
export function unpackValues(packed: string): ViewValues {
  const lines = packed.split("\n");
  const values: ViewValues = {};
  let before = "";
  for (const [place, name] of ORDER.entries()) {
    const line = lines[place] ?? "";
    before = line.startsWith(CONTINUES) ? before + line.slice(CONTINUES.length) : line;
    values[name] = before;
  }
  return values;
}
