/**
 * Owns: a roll-up as bytes, and back. Equal roll-ups have equal bytes.
 * Not: splitting one that is too large for a document (parts.ts), showing one to a person (describe.ts).
 *
 * Format 1: magic, version, checksum of the rest (4 bytes), then: unit, start, table of instants, the total's cell,
 * and per dimension its id, its length in bytes (so that a reader skips what it does not want), its texts and their
 * cells in the same order. A cell is a bit set of what it holds, then those numbers.
 */
import { ByteReader, ByteWriter, damaged, newer } from "./bytes.ts";
import { type Cell, CELL_METRICS, NEVER, copyOf, emptyCell, sameCell } from "./cell.ts";
import { DIMENSIONS, DIMENSION_NAMES, type DimensionName, dimensionOfId } from "./dimension.ts";
import { UNITS, withHead, withoutHead } from "./frame.ts";
import { type Rollup, type Values, valuesOf } from "./rollup.ts";
import { readInstants, readTexts, writeInstants, writeTexts } from "./tables.ts";

const VIEWS_FRAME = { magic: 0xfb, version: 1 };

const HAS_OTHER = 1;
/** One value, whose cell is the total's: common on a quiet site, and then no cell is written. */
const IS_TOTAL = 2;
/** The same, and the value is "": most campaign tags, most of the time. */
const IS_TOTAL_OF_NONE = 3;

const HAS_NEW = 1;
const HAS_RETURNING = 2;
const FIRST_METRIC_BIT = 4;
const ALL_CELL_BITS = FIRST_METRIC_BIT * 2 ** CELL_METRICS.length - 1;

export function encode(rollup: Rollup): ArrayBuffer {
  const instants = allInstants(rollup);
  const places = new Map(instants.map((instant, index) => [instant, index]));
  const writer = new ByteWriter();
  writer.unsigned(UNITS.indexOf(rollup.unit));
  writer.signed(rollup.startsAt);
  writeInstants(writer, instants, rollup.startsAt);
  writeCell(writer, rollup.total, places);
  const present = DIMENSION_NAMES.filter((name) => rollup.dimensions.has(name));
  writer.unsigned(present.length);
  for (const name of present) {
    const section = new ByteWriter();
    writeValues(section, valuesOf(rollup, name), rollup.total, places);
    writer.unsigned(DIMENSIONS[name].id);
    writer.raw(section.view());
  }
  return withHead(VIEWS_FRAME, writer.view());
}

/** Reads all dimensions, or only the `wanted` ones: a report about pages need not unpack browsers. */
export function decode(bytes: ArrayBuffer, wanted?: ReadonlySet<DimensionName>): Rollup {
  const reader = new ByteReader(withoutHead(VIEWS_FRAME, new Uint8Array(bytes)));
  const unit = UNITS[reader.unsigned()];
  if (unit === undefined) throw newer("its unit of time is unknown");
  const startsAt = reader.signed();
  const instants = readInstants(reader, startsAt);
  const total = readCell(reader, instants);
  const rollup: Rollup = { unit, startsAt, total, dimensions: new Map() };
  const sections = reader.count();
  for (let index = 0; index < sections; index++) {
    const id = reader.unsigned();
    const section = reader.raw();
    const name = dimensionOfId(id);
    if (name === null && wanted === undefined) throw newer(`dimension ${id} is unknown`);
    if (name === null || wanted?.has(name) === false) continue;
    rollup.dimensions.set(name, readValues(section, total, instants));
  }
  reader.assertEnd();
  return rollup;
}

function writeValues(
  writer: ByteWriter,
  { cells, other }: Values,
  total: Cell,
  places: Map<number, number>,
): void {
  const sorted = [...cells].sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const [only] = sorted;
  if (only !== undefined && cells.size === 1 && other === null && sameCell(only[1], total)) {
    writer.unsigned(only[0] === "" ? IS_TOTAL_OF_NONE : IS_TOTAL);
    if (only[0] !== "") writer.text(only[0]);
    return;
  }
  writer.unsigned(other === null ? 0 : HAS_OTHER);
  writeTexts(
    writer,
    sorted.map(([value]) => value),
  );
  for (const [, cell] of sorted) writeCell(writer, cell, places);
  if (other !== null) writeCell(writer, other, places);
}

function readValues(section: Uint8Array, total: Cell, instants: readonly number[]): Values {
  const reader = new ByteReader(section);
  const values: Values = { cells: new Map(), other: null };
  const flags = reader.unsigned();
  if (flags > IS_TOTAL_OF_NONE) throw newer(`a dimension is marked ${flags}`);
  if (flags === IS_TOTAL || flags === IS_TOTAL_OF_NONE) {
    values.cells.set(flags === IS_TOTAL ? reader.text() : "", copyOf(total));
  } else {
    for (const text of readTexts(reader)) values.cells.set(text, readCell(reader, instants));
    if (flags === HAS_OTHER) values.other = readCell(reader, instants);
  }
  reader.assertEnd();
  return values;
}

function writeCell(writer: ByteWriter, cell: Cell, places: Map<number, number>): void {
  const hasNew = cell.previousStarts[0] === NEVER;
  const firstReturning = hasNew ? 1 : 0;
  const returning = cell.previousStarts.length - firstReturning;
  let bits = (hasNew ? HAS_NEW : 0) + (returning > 0 ? HAS_RETURNING : 0);
  let bit = FIRST_METRIC_BIT;
  for (const metric of CELL_METRICS) {
    if (cell[metric] !== 0) bits += bit;
    bit *= 2;
  }
  writer.unsigned(bits);
  for (const metric of CELL_METRICS) {
    if (cell[metric] !== 0) writer.signed(cell[metric]);
  }
  if (hasNew) writer.unsigned(cell.visitors[0] ?? 0);
  if (returning === 0) return;
  writer.unsigned(returning);
  let before = 0;
  for (let index = firstReturning; index < cell.previousStarts.length; index++) {
    const place = places.get(cell.previousStarts[index] ?? NEVER) ?? 0;
    const count = cell.visitors[index] ?? 0;
    writer.unsigned(2 * (place - before) + (count === 1 ? 0 : 1));
    if (count !== 1) writer.unsigned(count);
    before = place;
  }
}

function readCell(reader: ByteReader, instants: readonly number[]): Cell {
  const cell = emptyCell();
  const bits = reader.unsigned();
  if (bits > ALL_CELL_BITS) throw newer("it has metrics that are unknown here");
  let bit = FIRST_METRIC_BIT;
  for (const metric of CELL_METRICS) {
    if ((bits & bit) !== 0) cell[metric] = reader.signed();
    bit *= 2;
  }
  if ((bits & HAS_NEW) !== 0) {
    cell.previousStarts.push(NEVER);
    cell.visitors.push(reader.unsigned());
  }
  if ((bits & HAS_RETURNING) === 0) return cell;
  const returning = reader.count();
  let place = 0;
  for (let index = 0; index < returning; index++) {
    const step = reader.unsigned();
    place += Math.floor(step / 2);
    const instant = instants[place];
    if (instant === undefined) throw damaged("a cell points outside the table of instants");
    cell.previousStarts.push(instant);
    cell.visitors.push(step % 2 === 0 ? 1 : reader.unsigned());
  }
  return cell;
}

function cellsOf(rollup: Rollup): Cell[] {
  const cells = [rollup.total];
  for (const values of rollup.dimensions.values()) {
    cells.push(...values.cells.values());
    if (values.other !== null) cells.push(values.other);
  }
  return cells;
}

function allInstants(rollup: Rollup): number[] {
  const instants = new Set<number>();
  for (const cell of cellsOf(rollup)) {
    for (const start of cell.previousStarts) if (start !== NEVER) instants.add(start);
  }
  const sorted = [...instants].sort((a, b) => a - b);
  const latest = sorted.at(-1);
  if (latest !== undefined && latest >= rollup.startsAt) {
    throw new Error(
      `A visitor of the bucket ${rollup.startsAt} cannot have been active before it at ${latest}.`,
    );
  }
  return sorted;
}
