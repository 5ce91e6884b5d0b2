/**
 * Owns: where the Convex deployment answers, and the one client that talks to it.
 * Not: what is asked.
 *
 * Served by the embedded engine, the site, the API and the HTTP actions share one origin. On Convex they are
 * three, and the Convex CLI names them in variables of the build; an empty one counts as absent.
 */
import { ConvexReactClient } from "convex/react";

/** Address of the API and its websocket, e.g. https://happy-animal-123.convex.cloud. */
export const backendUrl: string = import.meta.env.VITE_CONVEX_URL || window.location.origin;

/** Address of the HTTP actions; undefined: it follows from that of the API, as on Convex Cloud and on the engine. */
export const httpActionsUrl: string | undefined = import.meta.env.VITE_CONVEX_SITE_URL || undefined;

export const client = new ConvexReactClient(backendUrl, { skipConvexDeploymentUrlCheck: true });
