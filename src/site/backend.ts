/**
 * Owns: where the Convex deployment answers, and the one client that talks to it.
 * Not: what is asked.
 *
 * Served by the embedded engine, the site, the API and the HTTP actions share one origin. On Convex they are
 * three: `npx convex dev` writes the two variables, `npx convex deploy --cmd` sets the first.
 */
import { ConvexReactClient } from "convex/react";

/** Address of the API and its websocket, e.g. https://happy-animal-123.convex.cloud. */
export const backendUrl: string = import.meta.env.VITE_CONVEX_URL ?? window.location.origin;

/** Address of the HTTP actions, e.g. https://happy-animal-123.convex.site; when absent the tracker derives it from the API's. */
export const httpActionsUrl: string | undefined = import.meta.env.VITE_CONVEX_SITE_URL;

export const client = new ConvexReactClient(backendUrl, { skipConvexDeploymentUrlCheck: true });
