/** Owns: the whole list of Convex's own behaviours, each test in an empty world. Not: the behaviours themselves. */
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import { describeDocuments } from "./documents.ts";
import { describeFiles } from "./files.ts";
import { describeIndexes } from "./indexes.ts";
import { describeMoments } from "./moments.ts";
import { describeNesting } from "./nesting.ts";
import { describePages } from "./pages.ts";
import { describeReading } from "./reading.ts";
import { describeScheduled } from "./scheduled.ts";
import { describeValidators } from "./validators.ts";
import { describeWeb } from "./web.ts";
import type { World } from "./world.ts";

export function describeRaw(open: () => Promise<{ world: World; close(): Promise<void> }>): void {
  let opened: { world: World; close(): Promise<void> };
  beforeAll(async () => {
    opened = await open();
  });
  beforeEach(() => opened.world.clear());
  afterAll(() => opened.close());
  const current = (): World => opened.world;

  describe("validators", () => describeValidators(current));
  describe("indexes", () => describeIndexes(current));
  describe("documents", () => describeDocuments(current));
  describe("queries", () => describeReading(current));
  describe("watched pages", () => describePages(current));
  describe("calls between functions", () => describeNesting(current));
  describe("scheduled functions", () => describeScheduled(current));
  describe("moments and limits", () => describeMoments(current));
  describe("files", () => describeFiles(current));
  describe("the web", () => describeWeb(current));
}
