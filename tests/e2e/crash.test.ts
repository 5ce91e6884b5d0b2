/** Acknowledged means durable: kill -9 in the middle of a run of views loses none and counts none twice. */
import { expect, onTestFinished, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { liveClient, deployedFolder, removeFolder, startFootfall } from "./footfall.helpers.ts";

const VISITORS = 200;
const KILL_AFTER = 60;

test("every view that was acknowledged is counted once, and every view that was resent is not counted twice", async () => {
  const dataFolder = deployedFolder("crash");
  onTestFinished(() => removeFolder(dataFolder));
  const first = await startFootfall(dataFolder);
  const view = (index: number) => ({
    path: `/page-${index % 7}`,
    pageType: "page",
    sessionId: `visitor-${index}`,
    eventId: `event-${index}`,
  });

  const acknowledged = new Set<number>();
  const { promise: enough, resolve: kill } = Promise.withResolvers<void>();
  const sent = Array.from({ length: VISITORS }, async (_, index) => {
    await first.client.mutation(api.stats.recordPageView, view(index), { skipQueue: true });
    acknowledged.add(index);
    if (acknowledged.size === KILL_AFTER) kill();
  });
  const outcomes = Promise.allSettled(sent);
  await enough;
  await first.stop("SIGKILL");
  await outcomes;
  expect(acknowledged.size).toBeGreaterThanOrEqual(KILL_AFTER);

  const second = await startFootfall(dataFolder);
  onTestFinished(async () => void (await second.stop()));
  const total = async () => (await second.client.query(api.stats.getStats, {})).totalPageViews;
  const afterRestart = await total();
  expect(afterRestart).toBeGreaterThanOrEqual(acknowledged.size);
  expect(afterRestart).toBeLessThanOrEqual(VISITORS);

  for (let index = 0; index < VISITORS; index += 1) {
    const { outcome } = await second.client.mutation(api.stats.recordPageView, view(index));
    if (acknowledged.has(index)) expect(outcome).toBe("duplicate");
  }
  expect(await total()).toBe(VISITORS);

  await second.client.mutation(api.stats.watch, { watcherId: "test" });
  const settled = async () => {
    const { totalPageViews, uniqueVisitors } = await second.client.query(api.stats.getStats, {
      freshness: "settled",
    });
    return { totalPageViews, uniqueVisitors };
  };
  await expect
    .poll(settled, { timeout: 60_000 })
    .toEqual({ totalPageViews: VISITORS, uniqueVisitors: VISITORS });
});

test("a client that is connected by websocket resends what the dead engine did not answer, and each counts once", async () => {
  const dataFolder = deployedFolder("reconnect");
  onTestFinished(() => removeFolder(dataFolder));
  const first = await startFootfall(dataFolder);
  const client = liveClient(first.url);

  let answered = 0;
  const { promise: enough, resolve: kill } = Promise.withResolvers<void>();
  const views = Array.from({ length: VISITORS }, async (_, index) => {
    const sessionId = `visitor-${index}`;
    const result = await client.mutation(api.stats.recordPageView, {
      path: "/",
      pageType: "home",
      sessionId,
    });
    answered += 1;
    if (answered === KILL_AFTER) kill();
    return result.outcome;
  });
  await enough;
  await first.stop("SIGKILL");
  expect(answered).toBeLessThan(VISITORS);

  const second = await startFootfall(dataFolder, { port: Number(new URL(first.url).port) });
  onTestFinished(async () => void (await second.stop()));
  expect(new Set(await Promise.all(views))).toEqual(new Set(["counted"]));
  const { totalPageViews, uniqueVisitors } = await second.client.query(api.stats.getStats, {});
  expect({ totalPageViews, uniqueVisitors }).toEqual({
    totalPageViews: VISITORS,
    uniqueVisitors: VISITORS,
  });
});
