/**
 * Owns: a packed roll-up as text, for a person with a debugger or a console.
 * Not: reports.
 */
import { type Cell, CELL_METRICS, NEVER } from "./cell.ts";
import { decode } from "./codec.ts";
import type { Values } from "./rollup.ts";
import { byViews } from "./tail.ts";

/** Values of a dimension that are worth reading at once. */
const SHOWN_VALUES = 20;

/** Many lines: the bucket, its total, and the busiest values of each dimension. Never throws: says what is wrong. */
export function describe(bytes: ArrayBuffer): string {
  try {
    const rollup = decode(bytes);
    const lines = [`${rollup.unit} ${instantText(rollup.startsAt)} in ${bytes.byteLength} bytes`];
    lines.push(`total: ${cellText(rollup.total)}`);
    for (const [name, values] of rollup.dimensions) lines.push(...valueLines(name, values));
    return lines.join("\n");
  } catch (error) {
    return `${bytes.byteLength} bytes: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function valueLines(name: string, values: Values): string[] {
  const ranked = [...values.cells].sort(byViews);
  const lines = [`${name}: ${ranked.length} values`];
  for (const [value, cell] of ranked.slice(0, SHOWN_VALUES)) {
    lines.push(`  ${JSON.stringify(value)}: ${cellText(cell)}`);
  }
  if (ranked.length > SHOWN_VALUES) lines.push(`  and ${ranked.length - SHOWN_VALUES} more`);
  if (values.other !== null) lines.push(`  all that did not fit: ${cellText(values.other)}`);
  return lines;
}

function cellText(cell: Cell): string {
  const counts = CELL_METRICS.filter((metric) => cell[metric] !== 0).map(
    (metric) => `${metric} ${cell[metric]}`,
  );
  const visitors = cell.previousStarts.map((start, index) => {
    const before = start === NEVER ? "new" : `last active ${instantText(start)}`;
    return `${cell.visitors[index]} ${before}`;
  });
  return [...counts, ...(visitors.length > 0 ? [`visitors: ${visitors.join(", ")}`] : [])].join(
    ", ",
  );
}

function instantText(at: number): string {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}
