import { expect, test } from "vitest";
import { createHitQueue } from "./hit-queue.ts";
import { createKeptValues, type KeptValues } from "./kept-storage.ts";
import { BlockedStorage, FakeStorage } from "./storage.helpers.ts";

/** A network that is there or not, and the answers that it holds back until they are let go. */
function createNetwork() {
  const sent: string[] = [];
  let status: number | null = 204;
  let isHeld = false;
  return {
    sent,
    /** From now on no answer comes. */
    hold() {
      isHeld = true;
    },
    answer(next: number | null) {
      status = next;
    },
    post(body: string) {
      sent.push(body);
      const answered = status;
      if (isHeld) return new Promise<never>(() => {});
      return answered === null
        ? Promise.reject(new TypeError("Failed to fetch"))
        : Promise.resolve({ status: answered });
    },
  };
}

function createPage(storage = FakeStorage.of()) {
  const network = createNetwork();
  const values = createKeptValues(() => storage, {});
  return { network, values, queue: createHitQueue(values, (body) => network.post(body)) };
}

const waiting = (values: KeptValues) => values.read("footfall_hits").split("\n").filter(Boolean);

/** All that is underway has happened: nothing here waits for more than promises. */
async function settled() {
  for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
}

test("C17: three hits of a page without a network are kept, and sent in their order, once each, when it is back", async () => {
  const { network, values, queue } = createPage();
  network.answer(null);
  for (const hit of ["1", "2", "3"]) queue.add(hit);
  await settled();
  expect(waiting(values)).toEqual(["1", "2", "3"]);
  network.answer(204);
  network.sent.splice(0);
  queue.flush();
  queue.flush();
  await settled();
  expect(network.sent).toEqual(["1", "2", "3"]);
  expect(waiting(values)).toEqual([]);
});

test("C16: a hit whose answer was lost is sent again as it was, also by another page", async () => {
  const storage = FakeStorage.of();
  const first = createPage(storage);
  first.network.answer(null);
  first.queue.add("1");
  await settled();
  const second = createPage(storage);
  second.queue.flush();
  await settled();
  expect(second.network.sent).toEqual(first.network.sent);
  expect(waiting(second.values)).toEqual([]);
});

test("a hit that the server fails to take waits, and one that it refuses is forgotten", async () => {
  const { network, values, queue } = createPage();
  network.answer(503);
  queue.add("1");
  await settled();
  expect(waiting(values)).toEqual(["1"]);
  network.answer(400);
  queue.add("2");
  await settled();
  expect(network.sent).toEqual(["1", "1", "2"]);
  expect(waiting(values)).toEqual([]);
});

test("where no server is ever reached, the hits that wait do not grow without end", async () => {
  const { network, values, queue } = createPage();
  network.answer(null);
  for (let hit = 0; hit < 500; hit += 1) queue.add(`${hit}`.padEnd(300, "."));
  await settled();
  expect(values.read("footfall_hits").length).toBe(20_000);
  expect(waiting(values).at(-1)).toMatch(/^499\./);
});

test("nothing that waits is sent once its reader has opted out", async () => {
  const storage = FakeStorage.of({ footfall_hits: "1\n", footfall_opt_out: "1" });
  const { network, queue } = createPage(storage);
  queue.flush();
  await settled();
  expect(network.sent).toEqual([]);
});

test("C12: without storage hits are sent all the same", async () => {
  const { network, queue } = createPage(new BlockedStorage());
  queue.add("1");
  await settled();
  expect(network.sent).toEqual(["1"]);
});

test("a page that goes away sends what waits for its turn at once, no more than the server knows again, and the next page asks again", async () => {
  const { network, values, queue } = createPage();
  network.hold();
  for (let hit = 1; hit <= 12; hit += 1) queue.add(`${hit}`);
  await settled();
  expect(network.sent).toEqual(["1"]);
  queue.release();
  expect(network.sent).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  expect(waiting(values)).toHaveLength(12);
});

test("who has opted out sends nothing at the end either", async () => {
  const { network, values, queue } = createPage();
  network.answer(null);
  queue.add("1");
  await settled();
  network.sent.splice(0);
  values.write("footfall_opt_out", "1");
  queue.release();
  expect(network.sent).toEqual([]);
});
