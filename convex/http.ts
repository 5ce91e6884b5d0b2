/** Owns: the routes that plain HTTP reaches. Not: the rules, which are the same as for clients (model/). */
import { httpRouter } from "convex/server";
import { httpAction } from "./_generated/server.js";
import type { ActionCtx } from "./_generated/server.js";
import * as badge from "./model/badge.ts";
import * as beacon from "./model/received/beacon.ts";
import * as events from "./model/received/events.ts";
import * as sender from "./model/received/sender.ts";
import * as readings from "./model/readings/serve.ts";
import * as script from "./model/script.ts";

const http = httpRouter();

http.route({
  path: "/s.js",
  method: "GET",
  handler: httpAction((_ctx, request) => script.serve(request)),
});

http.route({
  path: "/e",
  method: "POST",
  handler: httpAction((ctx: ActionCtx, request) => beacon.receive(ctx, request)),
});

http.route({
  path: "/e",
  method: "GET",
  handler: httpAction((ctx: ActionCtx, request) => beacon.receiveImage(ctx, request)),
});

http.route({
  path: "/e",
  method: "OPTIONS",
  handler: httpAction(() => Promise.resolve(beacon.preflight())),
});

http.route({
  path: "/v1/events",
  method: "POST",
  handler: httpAction((ctx: ActionCtx, request) => events.receive(ctx, request)),
});

http.route({
  path: "/v1/sender",
  method: "GET",
  handler: httpAction((ctx: ActionCtx, request) => sender.serve(ctx, request)),
});

http.route({
  pathPrefix: "/badge/",
  method: "GET",
  handler: httpAction((ctx: ActionCtx, request) => badge.serve(ctx, request)),
});

http.route({
  pathPrefix: readings.READINGS_PATH,
  method: "GET",
  handler: httpAction((ctx: ActionCtx, request) => readings.serve(ctx, request)),
});

http.route({
  pathPrefix: readings.READINGS_PATH,
  method: "OPTIONS",
  handler: httpAction(() => Promise.resolve(readings.preflight())),
});

export default http;
