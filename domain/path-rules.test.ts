import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_PATH_LENGTH } from "./limits.ts";
import { applyPathRules, faultOfPattern, matches } from "./path-rules.ts";
import { normalisePath } from "./path.ts";

const NONE = { keepQuery: [], group: [], exclude: [] };

test.each([
  ["/user/*", ["/user/7", "/user/könig"], ["/user", "/user/7/edit", "/users/7", "/"]],
  ["/admin/**", ["/admin", "/admin/a", "/admin/a/b"], ["/administrator", "/", "/x/admin"]],
  ["/*/edit", ["/a/edit"], ["/edit", "/a/b/edit", "/a/edit/b"]],
  ["/post-*-draft", ["/post-1-draft", "/post--draft"], ["/post-draft", "/post-1-drafts"]],
  ["/a*b*c", ["/abc", "/axbxc", "/abbcc"], ["/ac", "/acb", "/abcx"]],
  ["/**", ["/", "/a", "/a/b"], []],
  ["/", ["/"], ["/a"]],
  ["/a+(b)", ["/a+(b)"], ["/aab", "/ab"]],
])("%s is those paths and no others", (pattern, inside, outside) => {
  expect(faultOfPattern(pattern)).toBeNull();
  for (const path of inside) expect(matches(pattern, path), path).toBe(true);
  for (const path of outside) expect(matches(pattern, path), path).toBe(false);
});

test.each(["user/*", "/a?b", "/a#b", "/a/", "/**/b", "/a**/b", "/%41", "", `/${"a".repeat(256)}`])(
  '"%s" is no pattern, and a sentence says why',
  (pattern) => {
    expect(faultOfPattern(pattern)).toMatch(/.{8}/);
  },
);

describe("a path", () => {
  test("that is excluded is left out, also where a group would take it", () => {
    const rules = { ...NONE, exclude: ["/user/me"], group: ["/user/*"] };
    expect(applyPathRules("/user/me", "", rules)).toBeNull();
    expect(applyPathRules("/user/7", "", rules)).toBe("/user/*");
  });

  test("keeps the parameters that make it another page, in one order, and no others", () => {
    const rules = { ...NONE, keepQuery: ["q", "page"] };
    const forms = ["?page=2&q=a+b&utm_source=x", "?q=a%20b&page=2"];
    for (const query of forms) expect(applyPathRules("/s", query, rules)).toBe("/s?q=a+b&page=2");
    expect(applyPathRules("/s", "?utm_source=x", rules)).toBe("/s");
    expect(applyPathRules("/s", "", rules)).toBe("/s");
    const long = applyPathRules("/s", `?q=${"ä".repeat(2_000)}`, rules);
    expect(long?.length).toBeLessThanOrEqual(MAX_PATH_LENGTH);
  });

  test("matches its own pattern, whatever it is made of, and takes no long time over any", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        const path = normalisePath(`/${one}`);
        expect(matches(path.replaceAll("*", "-"), path.replaceAll("*", "-"))).toBe(true);
        expect(matches("/**", path)).toBe(true);
        matches(normalisePath(`/${"*a".repeat(60)}${other}`), `/${"a".repeat(900)}b`);
      }),
    );
  });
});
