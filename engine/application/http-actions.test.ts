import { expect, test } from "vitest";
import { REQUEST, TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "http.ts": `
    import { httpRouter, httpActionGeneric as httpAction, anyApi } from "convex/server";
    const http = httpRouter();
    http.route({ path: "/echo", method: "POST", handler: httpAction(async (ctx, request) => {
      await ctx.runMutation(anyApi.store.put, { text: await request.text() });
      return Response.json(await ctx.runQuery(anyApi.store.all, {}), { status: 201, headers: { "x-a": "b" } });
    }) });
    http.route({ pathPrefix: "/files/", method: "GET", handler: httpAction(async (ctx, request) =>
      new Response(new URL(request.url).pathname)) });
    http.route({ path: "/broken", method: "GET", handler: httpAction(async () => { throw new Error("broken"); }) });
    http.route({ path: "/fetch", method: "GET", handler: httpAction(async () => new Response(String(typeof (await fetch("data:,x"))))) });
    export default http;`,
  "store.ts": `
    import { internalMutationGeneric as mutation, internalQueryGeneric as query } from "convex/server";
    export const put = mutation((ctx, { text }) => ctx.db.insert("texts", { text }));
    export const all = query(async (ctx) => (await ctx.db.query("texts").collect()).map((row) => row.text));`,
};

onEachStore((newStore) => {
  test("a request reaches its route with body and status, and the routes say which there are", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const call = (path: string, init?: RequestInit): Promise<Response | null> =>
      engine.application.httpAction(new Request(`http://h.example${path}`, init), REQUEST);
    const echoed = await call("/echo", { method: "POST", body: "hi" });
    expect(echoed?.status).toBe(201);
    expect(echoed?.headers.get("x-a")).toBe("b");
    expect(await echoed?.json()).toEqual(["hi"]);
    expect(await (await call("/files/a/b"))?.text()).toBe("/files/a/b");
    expect((await call("/files/a", { method: "HEAD" }))?.status).toBe(200);
    expect(await (await call("/fetch"))?.text()).toBe("object");
    expect(await call("/echo")).toBeNull();
    expect(engine.application.hasHttpRoute("POST", "/echo")).toBe(true);
    expect(engine.application.hasHttpRoute("GET", "/echo")).toBe(false);
  });

  test("a handler that throws becomes a 500 with the request's id", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const errors: (string | null)[] = [];
    engine.application.onFunctionLog((log) => errors.push(log.error));
    const response = await engine.application.httpAction(
      new Request("http://h.example/broken"),
      REQUEST,
    );
    expect(response?.status).toBe(500);
    expect(await response?.json()).toMatchObject({
      code: "[Request ID: r1] Server Error",
      trace: expect.stringContaining("Uncaught Error: broken") as string,
    });
    expect(errors).toEqual([expect.stringContaining("broken")]);
  });
});
