import { describe, expect, test } from "vitest";
import { api, internal } from "./_generated/api.js";
import { deployment } from "./deployment.helpers.ts";

const NOW = "2026-11-30T12:00:00Z";

const post = (slug: string, date: string, more: { title?: string; published?: boolean } = {}) => ({
  ...{ slug, date, path: `/posts/${slug}`, title: `Post ${slug}`, description: "What it says." },
  body: "word ".repeat(500),
  ...more,
});
const page = (slug: string) => ({
  ...{ slug, path: `/${slug}`, title: `Page ${slug}`, description: "", body: "# Hello" },
});

describe("sync", () => {
  test("stores what is given, gives back published ones in order, and reads no body for a list", async () => {
    const { t, settled } = deployment(NOW);
    await t.mutation(internal.content.sync, {
      posts: [
        post("one", "2026-01-01"),
        post("two", "2026-02-01"),
        post("draft", "2026-03-01", { published: false }),
      ],
      pages: [page("z"), page("a")],
    });
    const posts = await t.query(api.content.listPosts, {});
    expect(posts.map(({ slug }) => slug)).toEqual(["two", "one"]);
    expect(posts[0]).toMatchObject({ readMinutes: 3, date: "2026-02-01", title: "Post two" });
    expect(posts[0]).not.toHaveProperty("body");
    expect((await t.query(api.content.listPages, {})).map(({ slug }) => slug)).toEqual(["z", "a"]);
    expect(await settled()).toMatchObject({ publishedPosts: 2, publishedPages: 2 });
    const document = await t.query(api.content.getDocument, { kind: "page", slug: "a" });
    expect(document).toMatchObject({ title: "Page a", body: "# Hello", date: null });
    expect(await t.query(api.content.getDocument, { kind: "post", slug: "draft" })).toBeNull();
    expect(await t.query(api.content.getDocument, { kind: "post", slug: "none" })).toBeNull();
  });

  test("is idempotent, replaces what changed and removes what is gone", async () => {
    const { t, settled } = deployment(NOW);
    const posts = [post("one", "2026-01-01"), post("two", "2026-02-01")];
    const first = await t.mutation(internal.content.sync, { posts, pages: [page("a")] });
    expect(first).toMatchObject({ written: 3, removed: 0 });
    const second = await t.mutation(internal.content.sync, { posts, pages: [page("a")] });
    expect(second).toMatchObject({ written: 0, removed: 0, unchanged: 3 });
    const changed = { ...post("one", "2026-01-01"), body: "Short now." };
    const third = await t.mutation(internal.content.sync, { posts: [changed], pages: [page("a")] });
    expect(third).toMatchObject({ written: 1, removed: 1, unchanged: 1 });
    expect(await t.query(api.content.getDocument, { kind: "post", slug: "one" })).toMatchObject({
      body: "Short now.",
      readMinutes: 1,
    });
    expect((await settled()).publishedPosts).toBe(1);
    expect(await t.run((ctx) => ctx.db.query("bodies").take(9))).toHaveLength(2);
  });

  test.each([
    ["two posts with one slug", [post("one", "2026-01-01"), post("one", "2026-01-02")]],
    ["a post without a title", [post("one", "2026-01-01", { title: "" })]],
  ])("refuses %s and changes nothing", async (_what, posts) => {
    const { t } = deployment(NOW);
    await expect(t.mutation(internal.content.sync, { posts, pages: [] })).rejects.toMatchObject({
      data: { code: "invalid_content" },
    });
    expect(await t.query(api.content.listPosts, {})).toEqual([]);
  });
});

describe("titles in the statistics", () => {
  test("the content's title wins over the one that a view brings, for old and new paths", async () => {
    const { t, view, run, instant } = deployment(NOW);
    await view("/posts/one", "s1", "Post one · My site");
    await run();
    const posts = [post("one", "2026-01-01"), post("two", "2026-02-01")];
    await t.mutation(internal.content.sync, { posts, pages: [] });
    await view("/posts/two", "s1", "Post two · My site");
    await view("/other", "s1", "Other");
    const titles = (await instant()).pageStats.map(({ path, title }) => [path, title]);
    expect(titles).toEqual([
      ["/other", "Other"],
      ["/posts/one", "Post one"],
      ["/posts/two", "Post two"],
    ]);
  });

  test("a path of a post that nobody viewed is not listed and not counted", async () => {
    const { t, settled } = deployment(NOW);
    await t.mutation(internal.content.sync, { posts: [post("one", "2026-01-01")], pages: [] });
    expect(await settled()).toMatchObject({ pageStats: [], pagesTotal: 0 });
  });

  test("a path that moves from one post to another keeps the new title", async () => {
    const { t, view, run, settled } = deployment(NOW);
    await t.mutation(internal.content.sync, { posts: [post("one", "2026-01-01")], pages: [] });
    const moved = { ...post("uno", "2026-01-01"), path: "/posts/one" };
    await t.mutation(internal.content.sync, { posts: [moved], pages: [] });
    await view("/posts/one", "s1");
    await run();
    expect((await settled()).pageStats[0]?.title).toBe("Post uno");
  });
});
