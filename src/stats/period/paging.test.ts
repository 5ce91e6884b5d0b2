import fc from "fast-check";
import { expect, test } from "vitest";
import { pageOf, ROWS_A_PAGE } from "./paging.ts";

const row = (label: string, key = label) => ({ key, label, size: 1, strong: "1", quiet: "" });
const many = Array.from({ length: 120 }, (_, place) => row(`/page/${place}`));

test("a long list has its rows on pages, the last with what is left", () => {
  const last = pageOf(many, { search: "", page: 2 });
  expect([last.first, last.last, last.pages, last.rows.length]).toEqual([101, 120, 3, 20]);
});

test("a search finds by the name on screen and by the stored value, in any case of letters", () => {
  const rows = [row("Germany", "DE"), row("France", "FR")];
  const found = (search: string) => pageOf(rows, { search, page: 0 }).rows.map(({ key }) => key);
  expect([found("GERM"), found(" fr "), found("x")]).toEqual([["DE"], ["FR"], []]);
});

test("a page that is no more is the last, and of nothing there is one page without rows", () => {
  expect(pageOf(many, { search: "/page/11", page: 9 })).toMatchObject({ page: 0, matching: 11 });
  expect(pageOf([], { search: "", page: 3 })).toMatchObject({
    page: 0,
    pages: 1,
    first: 0,
    last: 0,
  });
});

test("every row stands on exactly one page", () => {
  fc.assert(
    fc.property(fc.nat({ max: 400 }), (count) => {
      const all = Array.from({ length: count }, (_, place) => row(String(place)));
      const { pages } = pageOf(all, { search: "", page: 0 });
      const shown = Array.from(
        { length: pages },
        (_, page) => pageOf(all, { search: "", page }).rows,
      ).flat();
      expect(shown).toEqual(all);
      expect(pages).toBe(Math.max(1, Math.ceil(count / ROWS_A_PAGE)));
    }),
  );
});
