import { expect, test } from "vitest";
import { connectionOf } from "./connection.ts";

const neverYet = { isWebSocketConnected: false, hasEverConnected: false };
const open = { isWebSocketConnected: true, hasEverConnected: true };
const dropped = { isWebSocketConnected: false, hasEverConnected: true };

test("a first connection that takes a moment is connecting, and unreachable only after its grace", () => {
  expect(connectionOf(neverYet, null)).toEqual({ state: "connecting" });
  expect(connectionOf(neverYet, 5_000)).toEqual({ state: "unreachable", since: 5_000 });
});

test("a short drop is not shown; one that lasts is lost, with the time at which it began", () => {
  expect(connectionOf(dropped, null)).toEqual({ state: "live" });
  expect(connectionOf(dropped, 9_000)).toEqual({ state: "lost", since: 9_000 });
});

test("an open socket is live, whatever was before", () => {
  expect(connectionOf(open, 9_000)).toEqual({ state: "live" });
});
