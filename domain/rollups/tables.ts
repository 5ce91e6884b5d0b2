/**
 * Owns: the tables of a packed roll-up: the texts of a dimension, and the instants to which cells point by index.
 * Not: the cells (codec.ts).
 */
import { type ByteReader, type ByteWriter, damaged } from "./bytes.ts";

/** Sorted texts, each as what it shares with the one before and its own rest; all rests are one piece of UTF-8. */
export function writeTexts(writer: ByteWriter, texts: readonly string[]): void {
  writer.unsigned(texts.length);
  const rests: string[] = [];
  let before = "";
  for (const text of texts) {
    const shared = sharedUnits(before, text);
    const rest = text.slice(shared);
    writer.unsigned(shared);
    writer.unsigned(rest.length);
    rests.push(rest);
    before = text;
  }
  writer.text(rests.join(""));
}

export function readTexts(reader: ByteReader): string[] {
  const count = reader.count();
  const shared: number[] = [];
  const own: number[] = [];
  for (let index = 0; index < count; index++) {
    shared.push(reader.unsigned());
    own.push(reader.unsigned());
  }
  const rests = reader.text();
  const texts: string[] = [];
  let at = 0;
  let before = "";
  for (let index = 0; index < count; index++) {
    const end = at + (own[index] ?? 0);
    before = before.slice(0, shared[index]) + rests.slice(at, end);
    texts.push(before);
    at = end;
  }
  if (at !== rests.length) throw damaged("its texts do not fit their table");
  return texts;
}

/** Units that two texts share at the front; never half of a surrogate pair, which would be no UTF-8. */
function sharedUnits(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let units = 0;
  while (units < most && a.charCodeAt(units) === b.charCodeAt(units)) units++;
  const last = units === 0 ? 0 : a.charCodeAt(units - 1);
  return last >= 0xd800 && last < 0xdc00 ? units - 1 : units;
}

/** All offsets of today's zones are multiples of this, and so are the distances of their buckets. */
const STEP_MS = 15 * 60_000;

/** Ascending instants before `origin`: the distance of the first, then the steps between them. */
export function writeInstants(
  writer: ByteWriter,
  instants: readonly number[],
  origin: number,
): void {
  writer.unsigned(instants.length);
  let before = origin;
  for (const instant of instants) {
    writeDistance(writer, Math.abs(instant - before));
    before = instant;
  }
}

export function readInstants(reader: ByteReader, origin: number): number[] {
  const count = reader.count();
  const instants: number[] = [];
  let before = origin;
  for (let index = 0; index < count; index++) {
    const distance = readDistance(reader);
    before = index === 0 ? before - distance : before + distance;
    instants.push(before);
  }
  return instants;
}

function writeDistance(writer: ByteWriter, distanceMs: number): void {
  const steps = distanceMs / STEP_MS;
  if (Number.isInteger(steps)) writer.unsigned(2 * steps);
  else writer.unsigned(2 * distanceMs + 1);
}

function readDistance(reader: ByteReader): number {
  const value = reader.unsigned();
  return value % 2 === 0 ? (value / 2) * STEP_MS : (value - 1) / 2;
}
