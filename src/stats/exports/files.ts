/**
 * Owns: the files that /stats gives away: one report as CSV, all of them as a ZIP of CSVs, all of them as JSON, exact.
 * Not: the reports (reports.ts). Loaded when somebody asks for one: it brings the packer of ZIPs with it.
 */
import type { ConvexReactClient } from "convex/react";
import { strToU8, zipSync } from "fflate";
import { writePeriod } from "../../../domain/calendar/periods.ts";
import type { AskedPeriod } from "../../../domain/calendar/periods.ts";
import { csvText } from "../../../domain/csv.ts";
import { askFor, namesFor } from "./reports.ts";
import type { Exported, ExportName, ExportQuestion } from "./reports.ts";

export const EXPORT_FORMATS = ["csv", "zip", "json"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export type Wanted = {
  readonly format: ExportFormat;
  /** Of a CSV. */
  readonly name: ExportName;
  readonly period: AskedPeriod;
  readonly site: string;
};

export type MadeFile = { readonly name: string; readonly blob: Blob };

/** `onAsked` hears how many of how many reports are there. Throws what the server refuses. */
export async function makeFile(
  client: ConvexReactClient,
  question: ExportQuestion,
  { format, name, period, site }: Wanted,
  onAsked: (done: number, total: number) => void,
): Promise<MadeFile> {
  const stem = `${site}-${writePeriod(period)}`;
  if (format === "csv") {
    const { table } = await askFor(client, name, question);
    return { name: `${stem}-${name}.csv`, blob: blobOf(csvText(table), "text/csv") };
  }
  const reports = await askForAll(client, question, onAsked);
  if (format === "json") return { name: `${stem}.json`, blob: jsonOf(question, reports) };
  const files: Record<string, Uint8Array> = {};
  for (const [of, { table }] of reports) files[`${of}.csv`] = strToU8(csvText(table));
  const zipped = zipSync(files);
  return { name: `${stem}.zip`, blob: new Blob([zipped], { type: "application/zip" }) };
}

/** One after the other: a reader who takes everything away must not slow down those who watch. */
async function askForAll(
  client: ConvexReactClient,
  question: ExportQuestion,
  onAsked: (done: number, total: number) => void,
): Promise<[ExportName, Exported][]> {
  const reports: [ExportName, Exported][] = [];
  const names = namesFor(question.isOfSegment);
  for (const name of names) {
    onAsked(reports.length, names.length);
    reports.push([name, await askFor(client, name, question)]);
  }
  return reports;
}

/** Each report as the server gave it. */
function jsonOf(
  { span, filter }: ExportQuestion,
  reports: readonly [ExportName, Exported][],
): Blob {
  const answers = Object.fromEntries(reports.map(([name, { answer }]) => [name, answer]));
  return blobOf(JSON.stringify({ ...span, filter, reports: answers }), "application/json");
}

function blobOf(text: string, type: string): Blob {
  return new Blob([text], { type: `${type};charset=utf-8` });
}

/** As if the reader had clicked on a link to it. */
export function saveFile({ name, blob }: MadeFile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has taken it over by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
