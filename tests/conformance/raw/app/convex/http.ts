import { anyApi, httpActionGeneric as httpAction, httpRouter } from "convex/server";
import { ConvexError } from "convex/values";

const api: any = anyApi;
const http = httpRouter();
const post = (path: string, handler: any) =>
  http.route({ path, method: "POST", handler: httpAction(handler) });

/** Each reads its body in one of the ways there are, and tells what it saw. */
post("/body/text", async (_: any, request: Request) => new Response(await request.text()));
post("/body/json", async (_: any, request: Request) => Response.json(await request.json()));
post("/body/bytes", async (_: any, request: Request) => new Response(await request.arrayBuffer()));
post("/body/blob", async (_: any, request: Request) => {
  const blob = await request.blob();
  return Response.json({ size: blob.size, type: blob.type });
});
post("/body/form", async (_: any, request: Request) => {
  const form = await request.formData();
  const file: any = form.get("file");
  return Response.json({
    name: form.get("name"),
    file: file === null ? null : { name: file.name, type: file.type, text: await file.text() },
  });
});
post("/body/stream", async (_: any, request: Request) => {
  let bytes = 0;
  for await (const chunk of request.body as any) bytes += chunk.length;
  return new Response(String(bytes));
});
post("/body/none", async (_: any, request: Request) =>
  Response.json({ text: await request.text(), hasBody: request.body !== null }),
);
post("/body/streamed", async () => {
  const parts = ["one ", "two ", "three"];
  const stream = new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
  return new Response(stream, { headers: { "content-type": "text/plain" } });
});

for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
  http.route({
    path: "/method",
    method,
    handler: httpAction(async (_, request) => {
      const { pathname, search } = new URL(request.url);
      const seen = {
        method: request.method,
        pathname,
        search,
        header: request.headers.get("x-asked"),
      };
      return Response.json(seen, { status: 202, headers: { "x-answered": request.method } });
    }),
  });
}
http.route({
  pathPrefix: "/under/",
  method: "GET",
  handler: httpAction(async (_, request) => new Response(new URL(request.url).pathname)),
});
http.route({
  path: "/nothing",
  method: "GET",
  handler: httpAction(async () => new Response(null, { status: 204 })),
});
http.route({
  path: "/redirect",
  method: "GET",
  handler: httpAction(
    async () => new Response(null, { status: 302, headers: { location: "/under/there" } }),
  ),
});
http.route({
  path: "/cookies",
  method: "GET",
  handler: httpAction(async () => {
    const headers = new Headers();
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    return new Response("ok", { headers });
  }),
});
http.route({
  path: "/broken",
  method: "GET",
  handler: httpAction(async () => {
    throw new Error("broken");
  }),
});
http.route({
  path: "/convex-error",
  method: "GET",
  handler: httpAction(async () => {
    throw new ConvexError({ code: "http" });
  }),
});
/** The ConvexError of what it calls, caught and told. */
http.route({
  path: "/caught",
  method: "GET",
  handler: httpAction(async (ctx) => {
    const told: any = {};
    for (const [name, work] of [
      ["query", () => ctx.runQuery(api.nested.failingQuery, {})],
      ["mutation", () => ctx.runMutation(api.nested.hiddenFail, {})],
      ["action", () => ctx.runAction(api.nested.hiddenFailingAction, {})],
    ] as const) {
      try {
        await work();
      } catch (error) {
        told[name] = error instanceof ConvexError ? (error.data as any).big === 9n : String(error);
      }
    }
    return Response.json(told);
  }),
});
http.route({
  path: "/who",
  method: "GET",
  handler: httpAction(async (ctx) =>
    Response.json({
      own: (await ctx.auth.getUserIdentity())?.subject ?? null,
      query: ((await ctx.runQuery(api.who.asked, {})) as any)?.subject ?? null,
    }),
  ),
});
http.route({
  path: "/token",
  method: "GET",
  handler: httpAction(async (ctx: any) => {
    const { authToken } = await ctx.meta.getRequestMetadata();
    return Response.json({ authToken });
  }),
});
http.route({
  path: "/write",
  method: "POST",
  handler: httpAction(async (ctx, request) => {
    await ctx.runMutation(api.nested.add, { text: await request.text() });
    await ctx.scheduler.runAfter(0, api.jobs.work, { text: "later" });
    return Response.json(await ctx.runQuery(api.nested.all, {}));
  }),
});
post("/files", async (ctx: any, request: Request) =>
  Response.json({ id: await ctx.storage.store(await request.blob()) }),
);
http.route({
  path: "/files",
  method: "GET",
  handler: httpAction(async (ctx, request) => {
    const id: any = new URL(request.url).searchParams.get("id");
    const blob = await ctx.storage.get(id);
    return blob === null ? new Response(null, { status: 404 }) : new Response(blob);
  }),
});
export default http;
