import { expect, test } from "vitest";
import { REQUEST, TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "http.ts": `
    import { httpRouter, httpActionGeneric as httpAction } from "convex/server";
    const http = httpRouter();
    http.route({ path: "/echo", method: "POST", handler: httpAction(async (_, request) => new Response(await request.text())) });
    http.route({ path: "/broken", method: "GET", handler: httpAction(async () => { throw new Error("broken"); }) });
    http.route({ path: "/fetch", method: "GET", handler: httpAction(async () => new Response(String(typeof (await fetch("data:,x"))))) });
    export default http;`,
};

// What they answer is in tests/conformance/raw/web.ts.
onEachStore((newStore) => {
  test("the routes say which there are, and an action may fetch", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const call = (path: string, init?: RequestInit): Promise<Response | null> =>
      engine.application.httpAction(new Request(`http://h.example${path}`, init), REQUEST);
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
