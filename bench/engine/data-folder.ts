/**
 * Owns: data folders that take long to make: made once for each state of the code that shapes them, kept in the
 * system's temporary folder, and copied for each run so that a run never changes what the next one finds.
 * Not: what is in them (seed.ts).
 */
import { createHash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "../../domain/calendar/civil.ts";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { ROOT, ourSources } from "../../scripts/checkout.ts";
import type { Design } from "./apps.ts";
import { daysOf } from "./hits.ts";
import { seed } from "./seed.ts";

/** What decides the bytes of a folder. The rest of the engine may change without making the data anew. */
const SHAPES_DATA =
  /^(convex|domain|bench\/original)\/|^bench\/(engine\/(apps|feed|hits|logged-past|seed)|support\/traffic.*)\.ts$|^engine\/(catalog\/(documents|tables)|values\/(ids|keys)|storage\/(sqlite-file|packed-values|dictionaries|short-texts))\.ts$/;

/** In each folder: from when its hits are, so that the load can go on after them. */
const STARTS_AT_FILE = "starts-at";

export type DataFolder = { path: string; startsAt: number; views: number };

/** Of the code as it was loaded: somebody may edit it while a folder is being made. */
const CODE_HASH = codeHash();

const copies: string[] = [];

/** A fresh copy of a folder with `views` views. */
export async function dataFolder(design: Design, views: number): Promise<DataFolder> {
  const kept = join(tmpdir(), `footfall-bench-${design}-${views}-${CODE_HASH}`);
  if (!existsSync(kept)) await make(kept, design, views);
  const path = join(mkdtempSync(join(tmpdir(), "footfall-bench-run-")), "data");
  copies.push(path);
  cpSync(kept, path, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { path, views, startsAt: Number(readFileSync(join(path, STARTS_AT_FILE), "utf8")) };
}

/** The copies of this run. */
export function removeCopies(): void {
  for (const path of copies.splice(0)) rmSync(join(path, ".."), { recursive: true, force: true });
}

async function make(kept: string, design: Design, views: number): Promise<void> {
  const making = `${kept}-making-${process.pid}`;
  const startedAt = performance.now();
  const startsAt = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - daysOf(views) * DAY_MS;
  console.error(`Making ${views} views of the ${design} design, once …`);
  try {
    await seed(making, { design, views, startsAt });
    writeFileSync(join(making, STARTS_AT_FILE), String(startsAt));
    renameSync(making, kept);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
  console.error(`… took ${Math.round((performance.now() - startedAt) / 1_000)} s; kept in ${kept}`);
}

function codeHash(): string {
  const hash = createHash("sha256");
  for (const path of ourSources()) {
    const isTest = /\.(test|helpers)\.ts$/.test(path);
    if (SHAPES_DATA.test(path) && !isTest) hash.update(path).update(readFileSync(join(ROOT, path)));
  }
  return hash.digest("hex").slice(0, "0123456789".length);
}
