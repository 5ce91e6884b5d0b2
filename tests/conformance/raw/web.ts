/** Owns: HTTP actions with every kind of body, environment variables, and who the caller is. Not: tokens that do not hold (engine/auth). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { doneOn, expectedOn, failureOf } from "./world.ts";
import type { CurrentWorld } from "./world.ts";

export function describeWeb(current: CurrentWorld): void {
  const post = (path: string, body?: BodyInit, headers: HeadersInit = {}): Promise<Response> =>
    current().fetch(path, {
      method: "POST",
      headers,
      ...(body === undefined ? {} : { body }),
      // Node's fetch asks for this where the body is a stream.
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    });

  describe("HTTP actions: a body", () => {
    test("as text, in any language", async () => {
      expect(await (await post("/body/text", "ünïcode 😀")).text()).toBe("ünïcode 😀");
    });

    test("as JSON, both ways", async () => {
      const response = await post("/body/json", JSON.stringify({ a: [1, null] }));
      expect(response.headers.get("content-type")).toContain("application/json");
      expect(await response.json()).toEqual({ a: [1, null] });
    });

    test("as bytes, all 256 of them", async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      const answer = await (await post("/body/bytes", bytes)).arrayBuffer();
      expect(new Uint8Array(answer)).toEqual(bytes);
    });

    test("as a blob with its type", async () => {
      const blob = new Blob(["12345"], { type: "image/x-test" });
      expect(await (await post("/body/blob", blob)).json()).toEqual({
        size: 5,
        type: "image/x-test",
      });
    });

    test("as a form with a file, and as a form in the address's style", async () => {
      const form = new FormData();
      form.set("name", "ada");
      form.set("file", new File(["inside"], "a.txt", { type: "text/plain" }));
      expect(await (await post("/body/form", form)).json()).toEqual({
        name: "ada",
        file: { name: "a.txt", type: "text/plain", text: "inside" },
      });
      const plain = new URLSearchParams({ name: "ada & bob" });
      expect(await (await post("/body/form", plain)).json()).toEqual({
        name: "ada & bob",
        file: null,
      });
    });

    test("as a stream, in and out", async () => {
      const chunks = Array.from({ length: 5 }, () => new Uint8Array(10_000));
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          const chunk = chunks.pop();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
      });
      expect(await (await post("/body/stream", stream)).text()).toBe("50000");
      expect(await (await post("/body/streamed")).text()).toBe("one two three");
    });

    test("that is not there", async () => {
      expect(await (await post("/body/none")).json()).toMatchObject({ text: "" });
    });
  });

  describe("HTTP actions: routes", () => {
    test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])(
      "%s arrives with address and headers, and status and headers come back",
      async (method) => {
        const response = await current().fetch("/method?a=1&b=%20", {
          method,
          headers: { "x-asked": "yes" },
        });
        expect([response.status, response.headers.get("x-answered")]).toEqual([202, method]);
        expect(await response.json()).toEqual({
          method,
          pathname: "/method",
          search: "?a=1&b=%20",
          header: "yes",
        });
      },
    );

    test("a prefix, no content, a redirect, two cookies, and a path that nobody has", async () => {
      const world = current();
      expect(await (await world.fetch("/under/a/b")).text()).toBe("/under/a/b");
      const nothing = await world.fetch("/nothing");
      expect([nothing.status, await nothing.text()]).toEqual([204, ""]);
      const redirect = await world.fetch("/redirect");
      expect([redirect.status, redirect.headers.get("location")]).toEqual([302, "/under/there"]);
      expect((await world.fetch("/cookies")).headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect((await world.fetch("/nowhere")).status).toBe(404);
      expect((await world.fetch("/body/text")).status).toBe(404);
    });

    test("HEAD is answered by the route of GET, without a body", async () => {
      const response = await current().fetch("/under/a", { method: "HEAD" });
      expect([response.status, await response.text()]).toEqual([
        200,
        expectedOn(current(), {
          convex: "",
          convexTest: "/under/a",
          because:
            "convex-test hands the Response over as it is; over HTTP there is no body on HEAD",
        }),
      ]);
    });

    test.each(["/broken", "/convex-error"])("%s: a handler that throws is a 500", async (path) => {
      const world = current();
      const status = doneOn<number>(world, {
        convex: () => world.fetch(path).then((response) => response.status),
        convexTest: () => failureOf(world.fetch(path)).then(() => 500),
        because: "convex-test throws what the handler throws; a caller over HTTP gets a status",
      });
      expect(await status).toBe(500);
    });

    test("they call functions and schedule them", async () => {
      const world = current();
      expect(await (await post("/write", "by http")).json()).toContain("by http");
      await world.until("nested:all", {}, (texts) => (texts as string[]).includes("later"));
    });
  });

  describe("environment variables", () => {
    test("are seen at once by the next call, and by watchers of a query that reads one", async () => {
      const world = current();
      const watched = await world.watch("who:variable");
      expect(await watched.latest()).toBeNull();
      await world.setVariable("TEST_NAME", "ünï\nlines");
      const other = await world.as({ over: "http" });
      expect(await other.query("who:variable")).toBe("ünï\nlines");
      expect(await world.action("who:variableInAction")).toBe("ünï\nlines");
      expect(await world.until("who:variable", {}, (value) => value !== null)).toBe("ünï\nlines");
      await world.setVariable("TEST_NAME", null);
      expect(await other.query("who:variable")).toBeNull();
    });

    test("are there while a module is loaded", async () => {
      const world = current();
      await world.setVariable("TEST_NAME", "at load");
      expect(await world.query("who:loaded")).toBe(
        expectedOn<Value>(world, {
          convex: "at load",
          convexTest: null,
          because: "on convex-test modules are loaded once, by the test's own runtime",
        }),
      );
    });
  });

  describe("who the caller is", () => {
    const ANN = { subject: "ann", name: "Ann", email: "ann@mail.example", team: "blue" };

    test("nobody without a token; with one its claims, in queries and mutations", async () => {
      const world = current();
      expect(await world.query("who:asked")).toBeNull();
      for (const over of [{}, { over: "http" }] as const) {
        const ann = await world.as({ ...over, user: ANN });
        for (const identity of [await ann.query("who:asked"), await ann.mutation("who:written")])
          expect(identity).toMatchObject({
            ...ANN,
            issuer: "https://tokens.example",
            tokenIdentifier: "https://tokens.example|ann",
          });
      }
      expect(await world.query("who:asked")).toBeNull();
    });

    test("the same in an action and what it calls, and in an HTTP action", async () => {
      const world = current();
      const ann = await world.as({ user: ANN });
      expect(await ann.action("who:acted")).toEqual({ own: "ann", query: "ann", mutation: "ann" });
      const asked = await world.fetch("/who", {}, ANN);
      expect(await asked.json()).toEqual({
        own: "ann",
        query: "ann",
      });
      expect(await (await world.fetch("/who")).json()).toEqual({ own: null, query: null });
    });

    test("nobody in what was scheduled", async () => {
      const world = current();
      const ann = await world.as({ user: ANN });
      await ann.mutation("who:scheduled");
      const texts = await world.until("nested:all", {}, (found) => (found as string[]).length > 0);
      expect(texts).toEqual(["scheduled by nobody"]);
    });
  });
}
