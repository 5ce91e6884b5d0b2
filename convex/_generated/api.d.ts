/* eslint-disable */
/**
 * Generated `api` utility.
 *
 * THIS CODE IS AUTOMATICALLY GENERATED.
 *
 * To regenerate, run `npx convex dev`.
 * @module
 */

import type * as content from "../content.js";
import type * as crons from "../crons.js";
import type * as errors from "../errors.js";
import type * as http from "../http.js";
import type * as model_backfill from "../model/backfill.js";
import type * as model_beacon from "../model/beacon.js";
import type * as model_content from "../model/content.js";
import type * as model_presence from "../model/presence.js";
import type * as model_ranking from "../model/ranking.js";
import type * as model_settling from "../model/settling.js";
import type * as model_shapes from "../model/shapes.js";
import type * as model_sites from "../model/sites.js";
import type * as model_stats from "../model/stats.js";
import type * as model_sweep from "../model/sweep.js";
import type * as model_views from "../model/views.js";
import type * as model_watchdog from "../model/watchdog.js";
import type * as model_watching from "../model/watching.js";
import type * as model_worker from "../model/worker.js";
import type * as sites from "../sites.js";
import type * as stats from "../stats.js";
import type * as worker from "../worker.js";

import type {
  ApiFromModules,
  FilterApi,
  FunctionReference,
} from "convex/server";

declare const fullApi: ApiFromModules<{
  content: typeof content;
  crons: typeof crons;
  errors: typeof errors;
  http: typeof http;
  "model/backfill": typeof model_backfill;
  "model/beacon": typeof model_beacon;
  "model/content": typeof model_content;
  "model/presence": typeof model_presence;
  "model/ranking": typeof model_ranking;
  "model/settling": typeof model_settling;
  "model/shapes": typeof model_shapes;
  "model/sites": typeof model_sites;
  "model/stats": typeof model_stats;
  "model/sweep": typeof model_sweep;
  "model/views": typeof model_views;
  "model/watchdog": typeof model_watchdog;
  "model/watching": typeof model_watching;
  "model/worker": typeof model_worker;
  sites: typeof sites;
  stats: typeof stats;
  worker: typeof worker;
}>;

/**
 * A utility for referencing Convex functions in your app's public API.
 *
 * Usage:
 * ```js
 * const myFunctionReference = api.myModule.myFunction;
 * ```
 */
export declare const api: FilterApi<
  typeof fullApi,
  FunctionReference<any, "public">
>;

/**
 * A utility for referencing Convex functions in your app's internal API.
 *
 * Usage:
 * ```js
 * const myFunctionReference = internal.myModule.myFunction;
 * ```
 */
export declare const internal: FilterApi<
  typeof fullApi,
  FunctionReference<any, "internal">
>;

export declare const components: {};
