import { expect, test } from "vitest";
import { pageTypeOf } from "./routes.ts";

test.each([
  ["/", "home"],
  ["/posts", "posts"],
  ["/posts/", "posts"],
  ["/posts/how-footfall-counts", "post"],
  ["/about", "page"],
  ["/stats", "stats"],
  ["/stats/", "stats"],
  ["/nothing/here", "missing"],
  ["/posts/a/b", "missing"],
])("a view of %s is counted as %s", (path, pageType) => {
  expect(pageTypeOf(path)).toBe(pageType);
});
