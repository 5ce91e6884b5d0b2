import { v } from "convex/values";
import { expect, test } from "vitest";
import type { QueryCtx } from "./_generated/server.js";
import { EVERYTHING } from "./model/access.ts";
import type { Grant } from "./model/access.ts";
import { door } from "./readers.ts";

const ctx = {} as QueryCtx;
const ofPosts = [
  { dimension: "path" as const, operator: "matches" as const, values: ["/posts/*"] },
];
const segment = { sees: "segment", name: "Posts", filter: ofPosts } as unknown as Grant;
const asked = { args: {}, returns: v.number(), handler: () => Promise.resolve(7) };

test("a door that does not say how it answers a link of a segment refuses it, and answers whoever sees everything", async () => {
  const { answer } = door(asked);
  expect(await answer(ctx, {}, EVERYTHING)).toBe(7);
  await expect(answer(ctx, {}, segment)).rejects.toMatchObject({
    data: { code: "not_of_segment" },
  });
});

test("what is answered under a filter has the segment's in it, whatever else is asked for", async () => {
  const filter = v.optional(v.array(v.any()));
  const { answer } = door({
    args: { filter },
    returns: v.any(),
    ofSegment: "filtered",
    handler: (_ctx: QueryCtx, args) => Promise.resolve(args.filter),
  });
  const other = [{ dimension: "country", operator: "is", values: ["ES"] }];
  expect(await answer(ctx, {}, segment)).toEqual(ofPosts);
  expect(await answer(ctx, { filter: [] }, segment)).toEqual(ofPosts);
  expect(await answer(ctx, { filter: other }, segment)).toEqual([...ofPosts, ...other]);
  expect(await answer(ctx, { filter: other }, EVERYTHING)).toEqual(other);
});

test("a door that says it answers under a filter, and takes none, is not made", () => {
  expect(() => door({ ...asked, ofSegment: "filtered" })).toThrow("no argument of that name");
});
