import { expect, test } from "vitest";
import { normalisePath } from "../../domain/path.ts";
import { hrefOfPath } from "./safeHref.ts";

test("a path becomes a link to itself, encoded", () => {
  expect(hrefOfPath("/")).toBe("/");
  expect(hrefOfPath("/posts/könnte")).toBe("/posts/k%C3%B6nnte");
  expect(hrefOfPath("/a b")).toBe("/a%20b");
});

test("what a stored path keeps encoded is not encoded twice", () => {
  expect(hrefOfPath(normalisePath("/100%25/a%2Fb%3Fc"))).toBe("/100%25/a%2Fb%3Fc");
  expect(hrefOfPath("/%FF")).toBe("/%FF");
});

test("a link to a stored path leads to that path", () => {
  for (const path of ["/könnte", "/a b", "/100%25", "/x?y", "/(a)'b!"].map(normalisePath)) {
    expect(normalisePath(hrefOfPath(path) ?? "")).toBe(path);
  }
});

test("C39: what is not a path of this site never becomes a link", () => {
  for (const value of [
    "javascript:alert(1)",
    "<img src=x onerror=alert(1)>",
    "//evil.example/x",
    "/\\evil.example",
    "https://evil.example",
    "",
  ]) {
    expect(hrefOfPath(value)).toBeNull();
  }
});

test("C39: markup inside a path is encoded, not markup", () => {
  expect(hrefOfPath('/"><img src=x onerror=alert(1)>')).toBe(
    "/%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E",
  );
});

test("C28: a path with half a surrogate pair is linked without throwing", () => {
  expect(hrefOfPath("/caf\ud83d")).toBe("/caf%EF%BF%BD");
});
