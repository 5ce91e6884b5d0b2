import { expect, test } from "vitest";
import { sectionsOf } from "./contents.ts";

test("the sections of a text are its second-level headings", () => {
  expect(sectionsOf("# T\n\n## Online now\n\ntext\n\n### Detail\n\n## A view")).toEqual([
    { id: "online-now", title: "Online now" },
    { id: "a-view", title: "A view" },
  ]);
});

test("a comment in a block of code is no section", () => {
  expect(sectionsOf("```sh\n## not this\n```\n\n## This")).toEqual([{ id: "this", title: "This" }]);
});
