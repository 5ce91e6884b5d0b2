import { getFunctionName, type FunctionReference } from "convex/server";
import { ConvexError } from "convex/values";
import { describe, expect, test } from "vitest";
import { MAX_BEACON_LENGTH } from "../../domain/limits.ts";
import { createConvexTransport } from "./convex-transport.ts";
import { RETRY_WAITS_MS } from "./delivery.ts";
import { siteUrlOf } from "./leave-beacon.ts";
import { manualClock } from "./tracking.helpers.ts";

type Call = {
  name: string;
  args: Record<string, unknown>;
  answer: () => Promise<void>;
  fail: (reason: Error) => Promise<void>;
};

const view = { path: "/a", pageType: "post", title: "A", sessionId: "s", eventId: "e1" };

/** Lets the promises that are settled reach whoever waits for them. */
async function settled() {
  for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
}

type Asked = { site?: string; sendBeacon?: () => boolean; hasOptedOut?: () => boolean };

function createWorld({ site, sendBeacon, hasOptedOut = () => false }: Asked = {}) {
  const clock = manualClock();
  const calls: Call[] = [];
  const beacons: { url: string; body: unknown }[] = [];
  const reports: string[] = [];
  const client = {
    mutation(reference: FunctionReference<"mutation">, args: Record<string, unknown>) {
      return new Promise((resolve, reject) => {
        calls.push({
          name: getFunctionName(reference),
          args,
          answer: () => (resolve(null), settled()),
          fail: (reason) => {
            reject(reason);
            return settled();
          },
        });
      });
    },
  };
  const transport = createConvexTransport({
    client: client as never,
    clock,
    siteUrl: "https://stats.example",
    site,
    sendBeacon(url, body) {
      beacons.push({ url, body: JSON.parse(body) });
      return sendBeacon?.() ?? true;
    },
    hasOptedOut,
    report: (sentence) => reports.push(sentence),
  });
  return { clock, calls, beacons, reports, transport, client };
}

describe("views", () => {
  test("go to stats:recordPageView with what the page said, and with the site when there is one", () => {
    const plain = createWorld();
    plain.transport.view(view);
    expect(plain.calls).toMatchObject([{ name: "stats:recordPageView", args: view }]);
    expect(plain.calls[0]!.args).not.toHaveProperty("site");
    const ofSite = createWorld({ site: "docs" });
    ofSite.transport.view(view);
    expect(ofSite.calls[0]!.args).toEqual({ ...view, site: "docs" });
  });

  test("C16: that fail are sent again under the same event id, after growing waits, and then given up", async () => {
    const { calls, clock, transport, reports } = createWorld();
    transport.view(view);
    for (const waitMs of RETRY_WAITS_MS) {
      await calls.at(-1)!.fail(new Error("[CONVEX M(stats:recordPageView)] Server Error"));
      const before = calls.length;
      clock.pass(waitMs - 1);
      expect(calls).toHaveLength(before);
      clock.pass(1);
      expect(calls).toHaveLength(before + 1);
    }
    expect(reports).toHaveLength(0);
    await calls.at(-1)!.fail(new Error("Server Error"));
    clock.pass(3_600_000);
    expect(calls).toHaveLength(1 + RETRY_WAITS_MS.length);
    expect(new Set(calls.map(({ args }) => args["eventId"]))).toEqual(new Set(["e1"]));
    expect(reports).toHaveLength(1);
  });

  test("that the server refuses are not sent again", async () => {
    const { calls, clock, transport, reports } = createWorld();
    transport.view(view);
    await calls[0]!.fail(new ConvexError({ code: "unknown_site", message: "No such site." }));
    clock.pass(3_600_000);
    expect(calls).toHaveLength(1);
    expect(reports).toHaveLength(1);
  });

  test("that failed are not sent again once the reader has opted out", async () => {
    let isOut = false;
    const { calls, clock, transport } = createWorld({ hasOptedOut: () => isOut });
    transport.view(view);
    await calls[0]!.fail(new Error("Server Error"));
    isOut = true;
    clock.pass(3_600_000);
    expect(calls).toHaveLength(1);
  });

  test("that arrive late do not take the visitor back: where they are now is said after it", async () => {
    const { calls, clock, transport } = createWorld();
    transport.view(view);
    await calls[0]!.fail(new Error("Server Error"));
    transport.view({ ...view, path: "/b", eventId: "e2" });
    await calls[1]!.answer();
    clock.pass(RETRY_WAITS_MS[0]!);
    expect(
      calls.slice(2).map(({ name, args }) => [name, args["path"] ?? args["currentPath"]]),
    ).toEqual([
      ["stats:recordPageView", "/a"],
      ["stats:heartbeat", "/b"],
    ]);
  });
});

test("beats and leaves say the host that the views said, so that all go to one site", () => {
  const { calls, transport } = createWorld({ sendBeacon: () => false });
  transport.view({ ...view, host: "docs.example" });
  transport.beat({ sessionId: "s", currentPath: "/b" });
  transport.leave({ sessionId: "s", path: "/b", eventId: "e1" });
  expect(calls.map(({ args }) => args["host"])).toEqual(Array(3).fill("docs.example"));
});

describe("beats", () => {
  test("do not pile up while no answer comes", async () => {
    const { calls, transport } = createWorld();
    const beat = { sessionId: "s", currentPath: "/a" };
    for (let times = 0; times < 20; times += 1) transport.beat(beat);
    expect(calls).toMatchObject([{ name: "stats:heartbeat", args: beat }]);
    await calls[0]!.answer();
    transport.beat(beat);
    expect(calls).toHaveLength(2);
  });

  test("C78: a path that was said while one is underway follows it, the newest alone", async () => {
    const { calls, transport } = createWorld();
    for (const currentPath of ["/a", "/b", "/c"]) transport.beat({ sessionId: "s", currentPath });
    expect(calls).toHaveLength(1);
    await calls[0]!.answer();
    expect(calls.slice(1)).toMatchObject([{ args: { currentPath: "/c" } }]);
    await calls[1]!.answer();
    expect(calls).toHaveLength(2);
  });

  test("that wait for one underway are dropped when the page goes away", async () => {
    const { calls, transport } = createWorld();
    for (const currentPath of ["/a", "/b"]) transport.beat({ sessionId: "s", currentPath });
    transport.leave({ sessionId: "s", path: "/b", eventId: "e1" });
    await calls[0]!.answer();
    expect(calls).toHaveLength(1);
  });

  test("that fail are not sent again, and do not hold up the next one", async () => {
    const { calls, clock, transport } = createWorld();
    transport.beat({ sessionId: "s", currentPath: "/a" });
    await calls[0]!.fail(new Error("Server Error"));
    clock.pass(3_600_000);
    expect(calls).toHaveLength(1);
    transport.beat({ sessionId: "s", currentPath: "/a" });
    expect(calls).toHaveLength(2);
  });
});

describe("leaves", () => {
  const leave = { sessionId: "s", path: "/a", eventId: "e1" };

  test("go out by beacon, as the body that POST /e takes", () => {
    const { beacons, calls, transport } = createWorld({ site: "docs" });
    transport.leave(leave);
    const body = { kind: "leave", ...leave, site: "docs" };
    expect(beacons).toEqual([{ url: "https://stats.example/e", body }]);
    expect(calls).toHaveLength(0);
  });

  test("leave out a path that the server would not read", () => {
    const { beacons, transport } = createWorld();
    transport.leave({ ...leave, path: `/${"a".repeat(MAX_BEACON_LENGTH)}` });
    expect(beacons).toMatchObject([{ body: { kind: "leave", sessionId: "s", eventId: "e1" } }]);
    expect(beacons[0]!.body).not.toHaveProperty("path");
  });

  test.each([
    { name: "does not take it", sendBeacon: () => false },
    {
      name: "throws",
      sendBeacon: (): boolean => {
        throw new Error("TypeError: navigator.sendBeacon is not a function");
      },
    },
  ])("go through the client when the browser $name", ({ sendBeacon }) => {
    const { calls, transport } = createWorld({ sendBeacon });
    transport.leave(leave);
    expect(calls).toMatchObject([{ name: "stats:leave", args: leave }]);
  });
});

describe("events", () => {
  const event = { path: "/a", name: "Signup", properties: { größe: 3 }, eventId: "e2" };

  test("go to stats:recordEvent with the host that the views said, and again under their id when the server fails", async () => {
    const { calls, clock, transport } = createWorld({ site: "docs" });
    transport.view({ ...view, host: "docs.example" });
    transport.event({ ...event, sessionId: "s", interactive: false });
    const properties = [{ key: "größe", value: 3 }];
    const wanted = { ...event, properties, sessionId: "s", isInteractive: false };
    expect(calls[1]).toMatchObject({ name: "stats:recordEvent" });
    expect(calls[1]!.args).toEqual({ ...wanted, site: "docs", host: "docs.example" });
    await calls[1]!.fail(new Error("Server Error"));
    clock.pass(RETRY_WAITS_MS[0]!);
    expect(calls[2]).toMatchObject({ name: "stats:recordEvent", args: wanted });
    expect(calls).toHaveLength(3);
  });
});

describe("how a view was read", () => {
  const report = { path: "/a", viewId: "e1", engagedMs: 5, scrollPercent: 50, sessionId: "s" };

  test("goes out by beacon, as the page may be going away", () => {
    const { beacons, calls, transport } = createWorld();
    transport.report(report);
    const body = { kind: "engagement", ...report };
    expect(beacons).toEqual([{ url: "https://stats.example/e", body }]);
    expect(calls).toHaveLength(0);
  });

  test("goes through the client when the browser does not take it", () => {
    const { calls, transport } = createWorld({ sendBeacon: () => false });
    transport.report(report);
    expect(calls).toMatchObject([{ name: "stats:recordEngagement", args: report }]);
  });
});

describe("a failure", () => {
  test("is reported once, whatever fails after it", async () => {
    const { calls, transport, reports } = createWorld();
    for (const currentPath of ["/a", "/b", "/c"]) {
      transport.beat({ sessionId: "s", currentPath });
      await calls.at(-1)!.fail(new Error("Server Error"));
    }
    expect(reports).toEqual([
      "Footfall could not send a heartbeat: Error: Server Error. The page itself is not affected.",
    ]);
  });

  test("that the client throws at once does not reach the page", async () => {
    const { client, transport, reports } = createWorld();
    client.mutation = () => {
      throw new Error("ConvexReactClient has already been closed.");
    };
    transport.view(view);
    transport.beat({ sessionId: "s", currentPath: "/a" });
    await settled();
    expect(reports).toHaveLength(1);
  });
});

test.each([
  ["https://happy-animal-123.convex.cloud", "https://happy-animal-123.convex.site"],
  [
    "https://happy-animal-123.eu-west-1.convex.cloud/",
    "https://happy-animal-123.eu-west-1.convex.site",
  ],
  ["http://localhost:3210", "http://localhost:3210"],
  ["https://stats.convex.cloud.example/", "https://stats.convex.cloud.example"],
])("the HTTP routes of %s answer at %s", (deploymentUrl, siteUrl) => {
  expect(siteUrlOf(deploymentUrl)).toBe(siteUrl);
});
