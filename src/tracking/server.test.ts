import { expect, test } from "vitest";
import { internal } from "../../convex/_generated/api.js";
import { deployment } from "../../convex/deployment.helpers.ts";
import { createServerTracking } from "./server.ts";

async function createShop() {
  const site = deployment("2026-11-30T12:00:00Z");
  const { key } = await site.t.action(internal.keys.create, {});
  const send: typeof fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    return site.t.fetch(pathname, init);
  };
  const trackingWith = (key: string) =>
    createServerTracking({ url: "https://stats.example", key, fetch: send });
  return { site, trackingWith, ...trackingWith(key) };
}

test("a view that a server tracks is counted, again under its id it is not, and a bot's is filtered", async () => {
  const { site, track } = await createShop();
  const view = { sessionId: "s1", path: "/feed", eventId: "e1" };
  expect([await track(view), await track(view)]).toEqual(["counted", "duplicate"]);
  expect(await track({ sessionId: "s2", path: "/feed", userAgent: "Googlebot/2.1" })).toBe(
    "filtered; bot",
  );
  expect(await site.instant()).toMatchObject({
    totalPageViews: 1,
    pageStats: [{ path: "/feed", views: 1 }],
  });
});

test("an event that a server tells of is counted, once under its id", async () => {
  const { site, track, event } = await createShop();
  await track({ sessionId: "s1", path: "/cart" });
  const paid = { sessionId: "s1", path: "/cart", name: "order", eventId: "o1" };
  const outcomes = [await event(paid), await event({ ...paid, properties: { items: 3 } })];
  expect(outcomes).toEqual(["counted", "duplicate"]);
  await expect(event({ sessionId: "s1", path: "/", name: " " })).rejects.toThrow(
    /not take the event: 400, .*"name" is/,
  );
  expect(await site.t.run((ctx) => ctx.db.query("events").take(9))).toMatchObject([
    { name: "order", path: "/cart", visitSequence: 2 },
  ]);
});

test("a refusal says why", async () => {
  const { track, trackingWith } = await createShop();
  await expect(track({ sessionId: "", path: "/" })).rejects.toThrow(
    /400, .*sessionId is not valid/,
  );
  const stranger = trackingWith("ff_0");
  await expect(stranger.track({ sessionId: "s", path: "/" })).rejects.toThrow(
    /401, A key is needed/,
  );
});
