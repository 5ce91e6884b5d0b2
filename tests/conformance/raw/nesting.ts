/** Owns: functions that call functions, components, handles, and the ConvexErrors that cross each border. Not: scheduled calls (jobs.ts). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { doneOn, expectedOn, failureOf } from "./world.ts";
import type { CurrentWorld, World } from "./world.ts";

/** What app/convex/nested.ts throws. */
const DATA: Value = {
  text: "no",
  big: 9n,
  bytes: new Uint8Array([1, 2]).buffer,
  list: [null, -0.5],
  deep: { a: true },
};
const carried = (data: Value): Value => ({ isConvexError: true, data });
/** Through a nested call inside one transaction. */
const nested = (world: World, data: Value): Value =>
  expectedOn<Value>(world, {
    convex: carried(data),
    convexTest: { isConvexError: false, data: null },
    because:
      "convex-test restores the data itself (deserializeConvexErrorData) and npm's convex restores it once more (syscall.ts), which throws on an int64 or bytes; on Convex it comes as JSON",
  });
const OF_SHELF = { code: "shelf", title: "t", size: 7n };
const OF_DRAWER = { code: "drawer", title: "t", size: 8n };

const sorted = (texts: Value): Value => (texts as string[]).toSorted();

export function describeNesting(current: CurrentWorld): void {
  test("a child mutation that fails takes back its own writes, not its caller's", async () => {
    const world = current();
    expect(await world.mutation("nested:rollsBackChild")).toEqual({
      failure: nested(world, DATA),
      seen: ["before", "after"],
    });
    expect(await world.query("nested:all")).toEqual(["before", "after"]);
  });

  test("a failure caught two levels down leaves the level in between alone", async () => {
    expect(await current().mutation("nested:twoLevels")).toEqual(["kept", "middle"]);
  });

  test("a parent that fails takes its children's writes along", async () => {
    const world = current();
    await failureOf(world.mutation("nested:failsAround"));
    expect(await world.query("nested:all")).toEqual([]);
  });

  test("children in Promise.all run one after the other and roll back alone", async () => {
    expect(await current().mutation("nested:parallel")).toEqual({
      outcomes: ["fulfilled", "rejected", "fulfilled", "fulfilled"],
      seen: ["1", "3"],
    });
  });

  test("a query calls queries, internal ones too, and no mutations", async () => {
    const world = current();
    await world.mutation("nested:add", { text: "there" });
    expect(await world.query("nested:queryInQuery")).toEqual({
      seen: ["there"],
      failure: nested(world, DATA),
    });
    const { message } = await failureOf(world.query("nested:mutationInQuery"));
    expect(message).toMatch(/runMutation/);
    expect(await world.query("nested:all")).toEqual(["there"]);
  });

  test("a function of the wrong kind and arguments that do not fit are failures of the caller's call", async () => {
    const world = current();
    const kind = await failureOf(world.mutation("nested:wrongKind"));
    expect(kind.message).toMatch(
      expectedOn(world, {
        convex: /Trying to execute nested:all as mutation, but it is defined as query/,
        convexTest: /is not a mutation/,
        because: "convex-test has wording of its own",
      }),
    );
    const args = await failureOf(world.mutation("nested:badArguments"));
    expect(args.message).toMatch(
      expectedOn(world, {
        convex: /ArgumentValidationError/,
        convexTest: /Validator error/,
        because: "convex-test has wording of its own",
      }),
    );
  });

  test("a child whose result is refused takes back what it wrote", async () => {
    const world = current();
    expect(await world.mutation("nested:catchesBadResult")).toEqual({
      isRefused: true,
      seen: expectedOn<string[]>(world, {
        convex: [],
        convexTest: ["of a bad result"],
        because: "convex-test checks a result after the child has committed to its parent",
      }),
    });
  });

  describe("a ConvexError's data arrives whole", () => {
    test.each(["query", "mutation", "action"] as const)(
      "from a %s, over the websocket and over HTTP",
      async (kind) => {
        const world = current();
        const path = { query: "failingQuery", mutation: "addThenFail", action: "failingAction" }[
          kind
        ];
        const args: Record<string, Value> = kind === "mutation" ? { text: "x" } : {};
        for (const calls of [world, await world.as({ over: "http" })])
          expect((await failureOf(calls[kind](`nested:${path}`, args))).data).toEqual(DATA);
        expect(await world.query("nested:all")).toEqual([]);
      },
    );

    test("also where it is only a text", async () => {
      const world = current();
      for (const calls of [world, await world.as({ over: "http" })])
        expect((await failureOf(calls.query("nested:failingText"))).data).toBe("only text");
    });

    test("and any other error has none", async () => {
      const world = current();
      for (const calls of [world, await world.as({ over: "http" })]) {
        const { message, data } = await failureOf(calls.query("nested:plainFailure"));
        expect([message, data]).toEqual([expect.stringContaining("plain"), undefined]);
      }
    });

    test("to a mutation from queries, mutations, components and a component inside one", async () => {
      const world = current();
      expect(await world.mutation("nested:bordersOfMutation")).toEqual({
        mutation: nested(world, DATA),
        query: nested(world, DATA),
        component: nested(world, OF_SHELF),
        componentQuery: carried({ code: "shelf query" }),
        componentInside: nested(world, OF_DRAWER),
        titles: { shelf: [], drawer: [] },
      });
    });

    test("to an action, where what had committed before stays", async () => {
      const world = current();
      expect(await world.action("nested:bordersOfAction")).toEqual({
        mutation: carried(DATA),
        query: carried(DATA),
        action: carried(DATA),
        component: carried(OF_SHELF),
        componentAction: carried({ code: "shelf action" }),
        componentInside: nested(world, OF_DRAWER),
        titles: { shelf: ["kept"], drawer: ["kept"] },
      });
    });

    test("to an HTTP action that catches it", async () => {
      const response = await current().fetch("/caught");
      expect(await response.json()).toEqual({ query: true, mutation: true, action: true });
    });
  });

  describe("components", () => {
    test("have tables of their own, also a component inside a component", async () => {
      const world = current();
      await world.mutation("nested:shelve", { title: "one" });
      expect(await world.query("nested:titles")).toEqual({ shelf: ["one"], drawer: ["one"] });
      expect(await world.query("rows:list", { table: "books" })).toEqual([]);
    });

    test("commit with their caller: a failure in the component inside undoes only it, if it is caught", async () => {
      const world = current();
      expect(await world.mutation("nested:shelveAndCatch", { title: "t" })).toEqual(
        expectedOn<Value>(world, {
          convex: OF_DRAWER,
          convexTest: "Error: Unexpected type of 8",
          because: "as for `nested` above: data that differs from its JSON breaks there",
        }),
      );
      expect(await world.query("nested:titles")).toEqual({ shelf: ["t"], drawer: [] });
      const { data } = await failureOf(world.mutation("nested:shelveThenFail", { title: "lost" }));
      expect(data).toBe("after the component");
      expect(await world.query("nested:titles")).toEqual({ shelf: ["t"], drawer: [] });
    });

    test("a watched query sees what changes in the component inside", async () => {
      const world = current();
      const titles = await world.watch("nested:titles");
      expect(await titles.latest()).toEqual({ shelf: [], drawer: [] });
      await world.mutation("nested:shelve", { title: "new" });
      expect(await titles.latest()).toEqual({ shelf: ["new"], drawer: ["new"] });
    });

    test("do not see who calls, have of the environment what they declare, and know their place", async () => {
      const world = current();
      await world.setVariable("TEST_NAME", "of the app");
      const ann = await world.as({ user: { subject: "ann" } });
      expect(await ann.mutation("nested:surroundings")).toMatchObject({
        app: { identity: "ann", variable: "of the app" },
        component: {
          identity: null,
          ...expectedOn<Record<string, Value>>(world, {
            convex: {
              variable: null,
              declared: "hello",
              ofApp: "of the app",
              inside: "of the app",
            },
            convexTest: { variable: "of the app", declared: null, ofApp: null, inside: null },
            because:
              "on convex-test all functions share the process's environment; on Convex a component has what its own env declares and its parent binds (server/components/index.ts)",
          }),
          where: {
            componentPath: "shelf",
            name: expect.stringMatching(/^books(\.js)?:surroundings$/) as string,
          },
        },
      });
    });

    test("do not have what the app does not export, and no pages", async () => {
      const world = current();
      await failureOf(world.query("nested:noSuchInComponent"));
      const paged = doneOn<string>(world, {
        convex: () =>
          failureOf(world.query("nested:pagedInComponent")).then(({ message }) => message),
        convexTest: () =>
          world.query("nested:pagedInComponent").then(() => "only supported in the app"),
        because:
          "convex-test paginates in components; Convex refuses (usePaginatedQuery's docs; the message is the backend's)",
      });
      expect(await paged).toContain("only supported in the app");
    });

    test("schedule their own functions", async () => {
      const world = current();
      await world.mutation("nested:shelveLater", { title: "later" });
      const found = await world.until("nested:titles", {}, (titles) =>
        (titles as { drawer: string[] }).drawer.includes("later"),
      );
      expect(found).toEqual({ shelf: ["later"], drawer: ["later"] });
    });
  });

  describe("function handles", () => {
    test("of the app's function, called back by a component in the same transaction", async () => {
      const world = current();
      expect(await world.mutation("nested:handedOver")).toEqual({
        handle: expect.stringMatching(/^function:\/\//) as string,
        returned: "back",
      });
      expect(await world.query("nested:all")).toEqual(["back"]);
      expect(await world.query("nested:titles")).toMatchObject({ shelf: ["back"] });
    });

    test("carry failures back, with everything that was written on the way undone", async () => {
      const world = current();
      expect(await world.mutation("nested:handleOfFailing")).toEqual(nested(world, DATA));
      expect(await world.query("nested:all")).toEqual([]);
      expect(await world.query("nested:titles")).toEqual({ shelf: [], drawer: [] });
    });

    test("of a component's function: the app's and the component's own are the same, and can be scheduled", async () => {
      const world = current();
      const [direct, told] = (await world.mutation("nested:ofComponent")) as string[];
      expect(direct).toBe(told);
      const titles = await world.until("nested:titles", {}, (found) =>
        (found as { shelf: string[] }).shelf.includes("scheduled by handle"),
      );
      expect(sorted((titles as { shelf: string[] }).shelf)).toEqual([
        "by handle",
        "scheduled by handle",
      ]);
    });

    test("in an action", async () => {
      const world = current();
      expect(await world.action("nested:handleInAction")).toBe("from an action");
      expect(await world.query("nested:all")).toEqual(["from an action"]);
    });
  });
}
