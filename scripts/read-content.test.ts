import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inWords, parsePage, parsePost, readContent } from "./read-content.ts";

const post = (lines: readonly string[], body = "Text.") =>
  ["---", ...lines, "---", "", body, ""].join("\n");

const complete = ["title: A: b", "description: What it is.", "date: 2026-11-30", "slug: a-post"];

test("a post is its front matter and its text, at the address of its slug", () => {
  expect(parsePost("a.md", post(complete))).toEqual({
    slug: "a-post",
    path: "/posts/a-post",
    title: "A: b",
    description: "What it is.",
    date: "2026-11-30",
    body: "Text.",
  });
});

test("a page lies at the root and needs no date", () => {
  const page = parsePage("p.md", post(["title: P", "description: D.", "slug: about"]));
  expect(page.path).toBe("/about");
});

test("an interval in a text is the one of the code, in words", () => {
  const { body } = parsePost("a.md", post(complete, "After {{DEDUP_WINDOW_MS}}."));
  expect(body).toBe("After 30 minutes.");
});

test("a text that names an unknown interval is refused, with the known ones", () => {
  expect(() => parsePost("a.md", post(complete, "{{WINDOW}}"))).toThrow(
    /a\.md names \{\{WINDOW\}\}.*DEDUP_WINDOW_MS/,
  );
});

test.each([
  ["no front matter", "Text.", /front matter/],
  ["no title", post(complete.slice(1)), /has no title/],
  ["no real day", post([...complete.slice(0, 2), "date: soon", "slug: a"]), /2026-11-30/],
  ["a slug with a slash", post([...complete.slice(0, 3), "slug: a/b"]), /lower-case/],
])("a post with %s is refused with what to write", (_, text, message) => {
  expect(() => parsePost("a.md", text)).toThrow(message);
});

test("durations are written in the unit in which people say them", () => {
  expect([1_000, 30_000, 75_000, 120_000, 60_000].map(inWords)).toEqual([
    "1 second",
    "30 seconds",
    "75 seconds",
    "2 minutes",
    "1 minute",
  ]);
});

test("the site's own content is complete, and its links to itself lead somewhere", async () => {
  const folder = fileURLToPath(new URL("../content", import.meta.url));
  const { posts, pages } = await readContent(folder);
  expect(posts.length).toBeGreaterThanOrEqual(3);
  const known = new Set(["/", "/posts", "/stats", ...[...posts, ...pages].map(({ path }) => path)]);
  for (const { path, body } of [...posts, ...pages]) {
    for (const [, target = ""] of body.matchAll(/\]\((\/[^)#]*)/g)) {
      expect(known, `${path} links to ${target}`).toContain(target);
    }
  }
});
