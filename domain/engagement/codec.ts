/**
 * Owns: an engagement roll-up as bytes, in parts that each fit a document, and back. Equal roll-ups have equal bytes.
 * Not: which documents hold them (convex/model/engagement/store.ts).
 *
 * Format 1, after the head: unit, start, the total's cell, whether there is a cell of other paths and that cell, then
 * the texts of the paths and their cells in the same order. A cell is its views, its time, a bit set of its histograms,
 * and of each the bins: how far from the last one, and how many. A kind of histogram that is appended needs no other
 * format: older bytes have no bit of it, and an older Footfall says that it does not know the bit. The total and the others stand in the first part.
 */
import { ByteReader, ByteWriter, damaged, newer } from "../rollups/bytes.ts";
import { UNITS, withHead, withoutHead } from "../rollups/frame.ts";
import { MAX_PART_BYTES } from "../rollups/parts.ts";
import { readTexts, writeTexts } from "../rollups/tables.ts";
import { HISTOGRAM_NAMES, emptyCell } from "./cell.ts";
import type { EngagementCell, HistogramName } from "./cell.ts";
import { sortedBins } from "./histogram.ts";
import { emptyEngagement, sumOf } from "./rollup.ts";
import type { EngagementRollup } from "./rollup.ts";

const ENGAGEMENT_FRAME = { magic: 0xfc, version: 1 };

/** One part in nearly all cases. */
export function encodeEngagement(
  rollup: EngagementRollup,
  maxBytes = MAX_PART_BYTES,
): ArrayBuffer[] {
  const whole = encode(rollup);
  const sorted = [...rollup.paths].sort(([a], [b]) => (a < b ? -1 : 1));
  if (whole.byteLength <= maxBytes || sorted.length < 2) return [whole];
  const middle = Math.ceil(sorted.length / 2);
  const { unit, startsAt } = rollup;
  return [
    { ...rollup, paths: new Map(sorted.slice(0, middle)) },
    { ...emptyEngagement(unit, startsAt), paths: new Map(sorted.slice(middle)) },
  ].flatMap((half) => encodeEngagement(half, maxBytes));
}

/** The roll-up of which these are all the parts, in any order. Throws a RollupFormatError when one is damaged. */
export function decodeEngagement(parts: readonly ArrayBuffer[]): EngagementRollup {
  const [first, ...others] = parts.map(decode);
  if (first === undefined)
    throw new Error("decodeEngagement() got no parts; it needs at least one.");
  if (others.length === 0) return first;
  const { unit, startsAt } = first;
  if (others.some((part) => part.unit !== unit || part.startsAt !== startsAt)) {
    throw damaged(`its parts are not all of the ${unit} ${startsAt}`);
  }
  return sumOf(unit, startsAt, [first, ...others]);
}

function encode(rollup: EngagementRollup): ArrayBuffer {
  const writer = new ByteWriter();
  writer.unsigned(UNITS.indexOf(rollup.unit));
  writer.signed(rollup.startsAt);
  writeCell(writer, rollup.total);
  writer.unsigned(rollup.other === null ? 0 : 1);
  if (rollup.other !== null) writeCell(writer, rollup.other);
  const sorted = [...rollup.paths].sort(([a], [b]) => (a < b ? -1 : 1));
  writeTexts(
    writer,
    sorted.map(([path]) => path),
  );
  for (const [, cell] of sorted) writeCell(writer, cell);
  return withHead(ENGAGEMENT_FRAME, writer.view());
}

function decode(bytes: ArrayBuffer): EngagementRollup {
  const reader = new ByteReader(withoutHead(ENGAGEMENT_FRAME, new Uint8Array(bytes)));
  const unit = UNITS[reader.unsigned()];
  if (unit === undefined) throw newer("its unit of time is unknown");
  const rollup = emptyEngagement(unit, reader.signed());
  rollup.total = readCell(reader);
  if (reader.unsigned() === 1) rollup.other = readCell(reader);
  for (const path of readTexts(reader)) rollup.paths.set(path, readCell(reader));
  reader.assertEnd();
  return rollup;
}

function writeCell(writer: ByteWriter, { views, engagedMs, histograms }: EngagementCell): void {
  writer.signed(views);
  writer.signed(engagedMs);
  const present = HISTOGRAM_NAMES.filter((name) => histograms.has(name));
  writer.unsigned(present.reduce((bits, name) => bits + bitOf(name), 0));
  for (const name of present) {
    const bins = sortedBins(histograms.get(name) ?? new Map<number, number>());
    writer.unsigned(bins.length);
    let before = 0;
    for (const [bin, count] of bins) {
      writer.unsigned(bin - before);
      writer.signed(count);
      before = bin;
    }
  }
}

function readCell(reader: ByteReader): EngagementCell {
  const cell = { ...emptyCell(), views: reader.signed(), engagedMs: reader.signed() };
  const bits = reader.unsigned();
  if (bits >= 2 ** HISTOGRAM_NAMES.length) throw newer("it has histograms that are unknown here");
  for (const name of HISTOGRAM_NAMES.filter((name) => (bits & bitOf(name)) !== 0)) {
    const histogram = new Map<number, number>();
    const bins = reader.count();
    let bin = 0;
    for (let index = 0; index < bins; index++) {
      bin += reader.unsigned();
      histogram.set(bin, reader.signed());
    }
    cell.histograms.set(name, histogram);
  }
  return cell;
}

function bitOf(name: HistogramName): number {
  return 2 ** HISTOGRAM_NAMES.indexOf(name);
}
