/**
 * Owns: how much JavaScript /stats loads before anybody clicks, and that a build which exceeds the budget fails.
 * Not: what is in it. The map, the files of an export and windows that are opened come when they are wanted.
 */
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The page's own, of a hundred and twenty; React, its router and Convex's client are another 108 kB (prds/0021). */
const OWN_BUDGET_BYTES = 45_000;
const WHOLE_BUDGET_BYTES = 155_000;

const STATS_PAGE = /src\/stats\/StatsPage\.tsx$/;

export type BuiltChunk = {
  fileName: string;
  code: string;
  isEntry: boolean;
  facadeModuleId: string | null;
  /** File names of the chunks that it cannot do without. */
  imports: string[];
};

export type PageSize = {
  /** Gzipped bytes of all chunks that the page needs. */
  whole: number;
  /** Of those that a page of the site without statistics does not need. */
  own: number;
};

/** Throws where the page is in no chunk of its own. */
export function pageSizeOf(chunks: readonly BuiltChunk[]): PageSize {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const page = chunks.find(({ facadeModuleId }) => STATS_PAGE.test(facadeModuleId ?? ""));
  if (page === undefined) throw new Error("The build has no chunk of src/stats/StatsPage.tsx.");
  const needed = new Map<string, BuiltChunk>();
  const need = (chunk: BuiltChunk | undefined) => {
    if (chunk === undefined || needed.has(chunk.fileName)) return;
    needed.set(chunk.fileName, chunk);
    for (const name of chunk.imports) need(byName.get(name));
  };
  for (const chunk of chunks) if (chunk.isEntry) need(chunk);
  const shell = sizeOf(needed.values());
  need(page);
  const whole = sizeOf(needed.values());
  return { whole, own: whole - shell };
}

function sizeOf(chunks: Iterable<BuiltChunk>): number {
  return [...chunks].reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

export function faultOfSize({ whole, own }: PageSize): string | null {
  if (own <= OWN_BUDGET_BYTES && whole <= WHOLE_BUDGET_BYTES) return null;
  return (
    `/stats loads ${whole} bytes of JavaScript gzipped, ${own} of them its own; at most ${WHOLE_BUDGET_BYTES} and ` +
    `${OWN_BUDGET_BYTES}. Load what is not seen first when it is wanted, or raise the budget in scripts/page-budget.ts with a reason.`
  );
}

/** For vite.config.ts. */
export function pageBudget(): Plugin {
  return {
    name: "footfall-page-budget",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
      const fault = faultOfSize(pageSizeOf(chunks));
      if (fault !== null) this.error(fault);
    },
  };
}
