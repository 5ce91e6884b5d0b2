import { httpRouter } from "convex/server";
import { api } from "./_generated/api";
import { httpAction } from "./_generated/server";

const http = httpRouter();

http.route({
  path: "/add",
  method: "POST",
  handler: httpAction(async (ctx, request) => {
    const name = await request.text();
    const value = await ctx.runMutation(api.counters.add, { name, by: 1 });
    return new Response(JSON.stringify({ value }), { status: 201, headers: { "x-added": name } });
  }),
});

http.route({
  pathPrefix: "/echo/",
  method: "GET",
  handler: httpAction(async (_ctx, request) => new Response(new URL(request.url).pathname)),
});

export default http;
