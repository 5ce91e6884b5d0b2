import { expect, test } from "vitest";
import { createEventLanes, WAITS_MS } from "./event-lanes.ts";
import { MAX_WAITING_EVENTS } from "./events.ts";

function createWorld() {
  let now = 0;
  const lanes = createEventLanes<string>(() => now);
  const sent: [lane: string, name: string][] = [];
  const open = (client: string, site?: string) =>
    lanes.open({
      client,
      site,
      sendEvent: (name) => sent.push([`${client} ${site ?? ""}`.trim(), name]),
    });
  const pass = (ms: number) => {
    now += ms;
  };
  return { lanes, sent, open, pass };
}

test("an event goes to the client and the site that it names, and else to whichever was there first, once", () => {
  const { lanes, sent, open } = createWorld();
  open("one");
  open("one", "docs");
  open("two");
  lanes.send({}, ["a"]);
  lanes.send({ site: "docs" }, ["b"]);
  lanes.send({ client: "two" }, ["c"]);
  expect(sent).toEqual([
    ["one", "a"],
    ["one docs", "b"],
    ["two", "c"],
  ]);
});

test("events that come before anything follows the page wait for who they are for, in their order, and are bounded", () => {
  const { lanes, sent, open } = createWorld();
  lanes.send({ client: "two" }, ["for two"]);
  lanes.send({}, ["for any"]);
  for (let more = 0; more < 2 * MAX_WAITING_EVENTS; more += 1) lanes.send({ site: "x" }, ["x"]);
  open("one");
  expect(sent).toEqual([["one", "for any"]]);
  open("two");
  expect(sent.slice(1)).toEqual([["two", "for two"]]);
  open("three", "x");
  expect(sent.slice(2)).toHaveLength(MAX_WAITING_EVENTS - 2);
});

test("an event that nobody has followed for half a second is not sent later, and takes no other's place", () => {
  const { lanes, sent, open, pass } = createWorld();
  for (let count = 0; count < MAX_WAITING_EVENTS; count += 1) lanes.send({}, ["before consent"]);
  pass(WAITS_MS + 1);
  lanes.send({}, ["after"]);
  pass(WAITS_MS);
  open("one");
  expect(sent).toEqual([["one", "after"]]);
});

test("a tracker that has ended gets none", () => {
  const { lanes, sent, open } = createWorld();
  const close = open("one");
  close();
  lanes.send({}, ["a"]);
  expect(sent).toEqual([]);
  open("one");
  expect(sent).toEqual([["one", "a"]]);
});
