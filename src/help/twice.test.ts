import { expect, test } from "vitest";
import { mountingOf, type Arrival } from "./twice.ts";

const came = (at: number, more: Partial<Arrival> = {}): Arrival => ({
  ...{ kind: "came", at, path: "/pricing", device: "desktop" },
  ...more,
});

test("one arrival is one tracker, and what came before the page was opened says nothing", () => {
  expect(mountingOf([], 100)).toEqual({ kind: "waiting" });
  expect(mountingOf([came(50), came(60)], 100)).toEqual({ kind: "waiting" });
  expect(mountingOf([came(150), came(60)], 100)).toEqual({ kind: "once", path: "/pricing" });
});

test("two visitors of one page, kind and moment are two trackers of one browser", () => {
  expect(mountingOf([came(200), came(150)], 100)).toEqual({ kind: "twice", path: "/pricing" });
  expect(mountingOf([came(200, { sessions: 2 })], 100).kind).toBe("twice");
});

test("two people are not: they come apart, to other pages, or with other devices", () => {
  expect(mountingOf([came(9_000), came(150)], 100).kind).toBe("once");
  expect(mountingOf([came(200), came(150, { path: "/" })], 100).kind).toBe("once");
  expect(mountingOf([came(200), came(150, { device: "mobile" })], 100).kind).toBe("once");
  expect(mountingOf([came(200), came(150, { kind: "moved" })], 100).kind).toBe("once");
});

test("after the mend, the next arrival alone decides", () => {
  expect(mountingOf([came(90_000), came(200), came(150)], 100).kind).toBe("once");
});
