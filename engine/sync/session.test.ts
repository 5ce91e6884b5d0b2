import { describe, expect, test } from "vitest";
import { MAX_WAITING_MUTATIONS } from "./mutation-lanes.ts";
import { MAX_MODIFICATIONS } from "./protocol/modify-query-set.ts";
import { encodeTimestamp, parseTimestamp } from "./protocol/timestamp.ts";
import {
  createWorld,
  messages,
  settled,
  TOKEN_LASTS_MS,
  type ServerMessage,
} from "./session.helpers.ts";

const { add, remove, modify, mutation, action, admin } = messages;

type Version = { querySet: number; identity: number; ts: string };
const startOf = (message: ServerMessage) => message["startVersion"] as Version;
const endOf = (message: ServerMessage) => message["endVersion"] as Version;
const modificationsOf = (message: ServerMessage | undefined) =>
  message?.["modifications"] as ServerMessage[];

describe("queries of a session", () => {
  test("a query is answered, and answered again when a commit changes it", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:get", { name: "a" })));
    await settled();
    client.say(mutation(0, "counters:add", { name: "a" }));
    await settled();
    const values = client
      .heard("Transition")
      .flatMap((message) => modificationsOf(message).map((each) => each["value"]));
    expect(values).toEqual([0, 1]);
  });

  test("every Transition starts at the version at which the last one ended", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:get", { name: "a" })));
    for (let request = 0; request < 5; request++) {
      client.say(mutation(request, "counters:add", { name: "a" }));
      await settled();
    }
    const transitions = client.heard("Transition");
    expect(startOf(transitions[0]!)).toEqual({ querySet: 0, identity: 0, ts: encodeTimestamp(0n) });
    transitions.slice(1).forEach((message, position) => {
      expect(startOf(message)).toEqual(endOf(transitions[position]!));
    });
  });

  test("a query whose result is the same is not sent again", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(
      modify(0, add(0, "counters:get", { name: "a" }), add(1, "counters:get", { name: "b" })),
    );
    await settled();
    client.say(mutation(0, "counters:add", { name: "b" }));
    await settled();
    expect(
      modificationsOf(client.heard("Transition").at(-1)).map((each) => each["queryId"]),
    ).toEqual([1]);
  });

  test("a removed query is told as removed and its live query is released", async () => {
    const { connect, application } = createWorld();
    const client = connect();
    client.say(modify(0, add(7, "counters:get", { name: "a" })));
    await settled();
    client.say(modify(1, remove(7)));
    await settled();
    expect(modificationsOf(client.heard("Transition").at(-1))).toEqual([
      { type: "QueryRemoved", queryId: 7 },
    ]);
    expect(application.released).toBe(1);
  });

  test("live queries are released when the connection goes away, also in the middle of an evaluation", async () => {
    const { connect, application } = createWorld();
    let open = () => undefined as void;
    application.gate = new Promise((resolve) => (open = resolve));
    const client = connect();
    client.say(modify(0, add(0, "counters:get"), add(1, "counters:get")));
    await settled();
    client.session.onClosed();
    expect(application.released).toBe(0);
    open();
    await settled();
    expect([application.opened, application.released]).toEqual([2, 2]);
    expect(client.wire.sent).toEqual([]);
  });

  test("queries that come and go while one evaluation lasts do not pile up: the rest waits until it is over", async () => {
    const { connect, application } = createWorld();
    const { promise, resolve: open } = Promise.withResolvers<void>();
    application.gate = promise;
    const client = connect();
    const each = 1_000;
    const rounds = 20;
    const ids = Array.from({ length: each }, (_, id) => id);
    for (let round = 0; round < rounds; round++) {
      client.say(modify(2 * round, ...ids.map((id) => add(id, "counters:get", { round, id }))));
      client.say(modify(2 * round + 1, ...ids.map((id) => remove(id))));
    }
    await settled();
    expect(application.opened).toBeLessThan(MAX_MODIFICATIONS + 3 * each);
    open();
    await client.session.read();
    await settled();
    expect([application.opened, application.released]).toEqual([rounds * each, rounds * each]);
    expect(client.wire.closedWith).toBeNull();
  });

  test("a slow reader gets the newest state once it reads again, not every state in between", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:get", { name: "a" })));
    await settled();
    let read = () => undefined as void;
    client.wire.stalled = new Promise((resolve) => (read = resolve));
    for (let request = 0; request < 10; request++)
      client.say(mutation(request, "counters:add", { name: "a" }));
    await settled();
    expect(client.heard("Transition")).toHaveLength(1);
    client.wire.stalled = null;
    read();
    await settled();
    expect(modificationsOf(client.heard("Transition")[1])[0]).toMatchObject({ value: 10 });
  });

  test("a failed query carries its error and its data, and its neighbours are answered", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:crash"), add(1, "counters:get")));
    await settled();
    const [failed, fine] = modificationsOf(client.heard("Transition")[0]);
    expect(failed).toMatchObject({ type: "QueryFailed", queryId: 0 });
    expect(String(failed!["errorMessage"])).toContain("secret detail");
    expect(fine).toMatchObject({ type: "QueryUpdated", value: 0 });
  });

  test("in production a visitor learns the request id of a failure, but no message, stack or log line", async () => {
    const { connect } = createWorld("production");
    const client = connect();
    client.say(modify(0, add(0, "counters:crash"), add(1, "counters:get")));
    client.say(mutation(0, "counters:fail"));
    await settled();
    const said = JSON.stringify(client.wire.sent);
    expect(said).toContain("[Request ID: 0123456789abcdef] Server Error");
    expect(said).not.toMatch(/secret detail|convex\/fake\.ts|'ran /);
    expect(client.heard("MutationResponse")[0]).toMatchObject({ errorData: { code: "refused" } });
  });
});

describe("mutations of a session", () => {
  test("run in the order in which they were sent, and are answered in that order", async () => {
    const { connect, application } = createWorld();
    const client = connect();
    for (let request = 0; request < 50; request++)
      client.say(mutation(request, "counters:add", { by: request }));
    await settled();
    const order = Array.from({ length: 50 }, (_, request) => request);
    expect(application.ran.map((args) => (JSON.parse(args) as { by: number }).by)).toEqual(order);
    expect(client.heard("MutationResponse").map((message) => message["requestId"])).toEqual(order);
  });

  test("each is followed by a Transition that reaches its commit, also when no query changed", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0));
    await settled();
    client.say(mutation(0, "counters:add", { name: "unwatched" }));
    await settled();
    const [response, transition] = client.wire.sent.slice(-2);
    expect(response).toMatchObject({ type: "MutationResponse", success: true, result: 1 });
    expect(transition).toMatchObject({ type: "Transition", modifications: [] });
    expect(parseTimestamp("ts", endOf(transition!).ts)).toBeGreaterThanOrEqual(
      parseTimestamp("ts", response!["ts"]),
    );
  });

  test("no Transition shows a mutation's effect before the mutation is answered", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:get", { name: "a" })));
    for (let request = 0; request < 30; request++)
      client.say(mutation(request, "counters:add", { name: "a" }));
    await settled();
    let answered = 0;
    for (const message of client.wire.sent) {
      if (message.type === "MutationResponse") answered += 1;
      if (message.type !== "Transition") continue;
      for (const each of modificationsOf(message))
        expect(Number(each["value"])).toBeLessThanOrEqual(answered);
    }
    expect(answered).toBe(30);
  });

  test("a resend on a new connection gets the first result and does not run again", async () => {
    const { connect, application } = createWorld();
    const first = connect({ sessionId: "tab" });
    first.say(mutation(4, "counters:add", { name: "a" }));
    await settled();
    first.session.onClosed();
    const second = connect({ sessionId: "tab" });
    second.say(modify(0));
    second.say(mutation(4, "counters:add", { name: "a" }));
    await settled();
    expect(application.ran).toHaveLength(1);
    expect(second.heard("MutationResponse")[0]).toMatchObject({
      requestId: 4,
      success: true,
      result: 1,
    });
  });

  test("what arrived before the connection broke is run, and what is resent stays behind it", async () => {
    const { connect, application } = createWorld();
    let open = () => undefined as void;
    application.gate = new Promise((resolve) => (open = resolve));
    const first = connect({ sessionId: "tab" });
    for (const request of [0, 1, 2]) first.say(mutation(request, "counters:add", { by: request }));
    await settled();
    first.session.onClosed();
    const second = connect({ sessionId: "tab" });
    for (const request of [0, 1, 2, 3])
      second.say(mutation(request, "counters:add", { by: request }));
    open();
    await settled();
    expect(application.ran.map((args) => (JSON.parse(args) as { by: number }).by)).toEqual([
      0, 1, 2, 3,
    ]);
    expect(second.heard("MutationResponse").map((message) => message["requestId"])).toEqual([
      0, 1, 2, 3,
    ]);
  });

  test("a mutation without an outcome ends the connection unanswered, and nothing behind it runs", async () => {
    const { connect, application, problems } = createWorld();
    const client = connect();
    application.gate = Promise.reject(new Error("disk full"));
    client.say(mutation(0, "counters:add", { by: 0 }));
    client.say(mutation(1, "counters:add", { by: 1 }));
    await settled();
    expect(client.wire.closedWith?.reason).toMatch(/^InternalServerError/);
    expect(client.heard("MutationResponse")).toEqual([]);
    expect(application.ran).toEqual([]);
    expect(problems).toEqual(["A connection failed"]);
  });

  test("a client that floods is told to back off, not ended for good", async () => {
    const { connect, application } = createWorld();
    application.gate = new Promise(() => undefined);
    const client = connect();
    for (let request = 0; request <= MAX_WAITING_MUTATIONS; request++)
      client.say(mutation(request, "counters:add"));
    await client.session.read();
    expect(client.wire.closedWith?.reason).toMatch(/^TooManyConcurrentRequests/);
    expect(client.heard("FatalError")).toEqual([]);
  });
});

describe("actions of a session", () => {
  test("an action is answered with its value", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(action(3, "counters:echo", { a: { $integer: "AQAAAAAAAAA=" } }));
    await settled();
    expect(client.heard("ActionResponse")[0]).toMatchObject({
      requestId: 3,
      success: true,
      result: { a: { $integer: "AQAAAAAAAAA=" } },
    });
  });
});

describe("who a session acts as", () => {
  test("the admin key opens internal functions; the queries that were asked before are asked again", async () => {
    const { connect, adminKey } = createWorld();
    const client = connect();
    client.say(modify(0, add(0, "counters:secret")));
    await settled();
    client.say(admin(adminKey));
    await settled();
    const told = client.heard("Transition");
    expect(modificationsOf(told[0])[0]).toMatchObject({ type: "QueryFailed" });
    expect(modificationsOf(told[1])[0]).toMatchObject({
      type: "QueryUpdated",
      value: "for admins",
    });
    expect(endOf(told[1]!).identity).toBe(1);
  });

  test("a wrong admin key is an AuthError and closes the connection", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(admin("footfall|wrong"));
    await settled();
    expect(client.heard("AuthError")[0]).toMatchObject({
      baseVersion: 0,
      authUpdateAttempted: true,
    });
    expect(client.wire.closedWith?.reason).toBe("AuthError");
  });

  test("the right admin key from a page of another site is refused", async () => {
    const { connect, adminKey } = createWorld();
    const client = connect({ mayBeAdmin: false });
    client.say(admin(adminKey));
    await settled();
    expect(client.heard("AuthError")).toHaveLength(1);
  });

  const user = (value: string, baseVersion = 0) => ({
    type: "Authenticate",
    tokenType: "User",
    value,
    baseVersion,
  });

  test("a token that does not hold is an AuthError and closes the connection", async () => {
    const { connect } = createWorld();
    const client = connect();
    client.say(user("a.b.c"));
    await settled();
    expect(client.heard("AuthError")[0]).toMatchObject({ authUpdateAttempted: true });
    expect(client.wire.closedWith?.reason).toBe("AuthError");
  });

  test("a token that expires ends the connection, so that nothing runs on as that user", async () => {
    const { connect, clock } = createWorld();
    const client = connect();
    client.say(user("token:ada"));
    await settled();
    expect(endOf(client.heard("Transition").at(-1)!).identity).toBe(1);
    await clock.advance(TOKEN_LASTS_MS - 1);
    expect(client.heard("AuthError")).toEqual([]);
    await clock.advance(1);
    expect(client.heard("AuthError")[0]).toMatchObject({
      authUpdateAttempted: false,
      baseVersion: 1,
    });
    expect(client.wire.closedWith?.reason).toBe("AuthError");
  });

  test("a newer token in time, or none any more, takes the end of the old one away", async () => {
    const { connect, clock } = createWorld();
    const client = connect();
    client.say(user("token:ada"));
    await settled();
    await clock.advance(TOKEN_LASTS_MS - 1);
    client.say(user("token:ada", 1));
    await settled();
    await clock.advance(TOKEN_LASTS_MS - 1);
    expect(client.heard("AuthError")).toEqual([]);
    client.say({ type: "Authenticate", tokenType: "None", baseVersion: 2 });
    await settled();
    await clock.advance(TOKEN_LASTS_MS);
    expect(client.heard("AuthError")).toEqual([]);
  });
});

describe("the protocol", () => {
  const broken: readonly [string, object | string][] = [
    ["is not JSON", "{"],
    ["is not an object", "[]"],
    [
      "is nested deeper than any stack",
      `{"type":"Mutation","requestId":0,"udfPath":"a:b","args":[{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
    ],
    ["has a type of any depth", `{"type":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["has an unknown type", { type: "Hello" }],
    ["has no path", { type: "Mutation", requestId: 0, args: [{}] }],
    ["has a path of 5 kB", mutation(0, "x".repeat(5000))],
    ["has a negative request id", mutation(-1, "counters:add")],
    [
      "has arguments that are no object",
      { type: "Mutation", requestId: 0, udfPath: "a:b", args: [1] },
    ],
    ["changes a version that is not the current one", modify(3, add(0, "counters:get"))],
    ["adds one query twice", modify(0, add(0, "counters:get"), add(0, "counters:get"))],
    ["removes a query that is not there", modify(0, remove(9))],
    ["connects again", { type: "Connect", sessionId: "again", connectionCount: 0 }],
    [
      "authenticates on a version that is not the current one",
      { type: "Authenticate", tokenType: "None", baseVersion: 5 },
    ],
  ];
  test.each(broken)(
    "a message that %s is a FatalError, and nothing of it takes effect",
    async (_what, message) => {
      const { connect, application } = createWorld();
      const client = connect();
      client.say(message);
      client.say(mutation(0, "counters:add"));
      await settled();
      expect(client.heard("FatalError")).toHaveLength(1);
      expect(client.wire.closedWith).not.toBeNull();
      expect(application.ran).toEqual([]);
    },
  );

  test("nothing is taken before Connect", async () => {
    const { connect, application } = createWorld();
    const client = connect({ silent: true });
    client.say(mutation(0, "counters:add"));
    await settled();
    expect(client.heard("FatalError")).toHaveLength(1);
    expect(application.ran).toEqual([]);
  });

  test("a client that has seen a later state than this engine holds is turned away, and may come again", async () => {
    const { connect, application } = createWorld();
    const client = connect({ maxObservedTimestamp: encodeTimestamp(application.commitTs + 1n) });
    await settled();
    expect(client.wire.closedWith?.reason).toMatch(/^InternalServerError/);
    expect(client.heard("FatalError")).toEqual([]);
  });

  test("a silent connection is pinged four times a minute, and no longer once it is closed", async () => {
    const { connect, clock } = createWorld();
    const client = connect();
    await clock.advance(60_000);
    expect(client.heard("Ping")).toHaveLength(4);
    client.session.onClosed();
    expect(clock.dueTimes()).toEqual([]);
  });
});
