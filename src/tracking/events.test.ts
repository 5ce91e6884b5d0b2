import { expect, test } from "vitest";
import { createEvents, MAX_WAITING_EVENTS, type EventMessage } from "./events.ts";

function createPage() {
  const sent: EventMessage[] = [];
  const world = { path: "/a", isOut: false, ids: 0 };
  const events = createEvents({
    currentPath: () => world.path,
    hasOptedOut: () => world.isOut,
    newId: () => `id${(world.ids += 1)}`,
    send: (message) => sent.push(message),
  });
  return { world, sent, ...events };
}

test("an event goes out with the path that is open, an id of its own, and what the page says of it", () => {
  const { sent, sendEvent, pageSeen } = createPage();
  pageSeen();
  sendEvent("Signup", { plan: "pro", seats: 3 }, { interactive: false });
  sendEvent("Signup");
  expect(sent).toEqual([
    {
      ...{ kind: "event", path: "/a", name: "Signup", eventId: "id1" },
      ...{ properties: { plan: "pro", seats: 3 }, interactive: false },
    },
    {
      ...{ kind: "event", path: "/a", name: "Signup", eventId: "id2" },
      ...{ properties: undefined, interactive: undefined },
    },
  ]);
});

test("C07: events of a page that nobody has seen wait for its view, with the path that they came from, and are bounded", () => {
  const { world, sent, sendEvent, pageSeen } = createPage();
  sendEvent("Early");
  world.path = "/b";
  for (let more = 0; more < 2 * MAX_WAITING_EVENTS; more += 1) sendEvent("More");
  expect(sent).toEqual([]);
  pageSeen();
  expect(sent[0]).toMatchObject({ name: "Early", path: "/a" });
  expect(sent).toHaveLength(MAX_WAITING_EVENTS);
  pageSeen();
  expect(sent).toHaveLength(MAX_WAITING_EVENTS);
});

test("who has opted out has no events, neither then nor later", () => {
  const { world, sent, sendEvent, pageSeen } = createPage();
  world.isOut = true;
  sendEvent("Not to be seen");
  world.isOut = false;
  pageSeen();
  expect(sent).toEqual([]);
});
