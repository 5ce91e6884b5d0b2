/**
 * Owns: the routes of `npx convex export` and `npx convex import`.
 * Not: what they do (export/).
 */
import type { Exports } from "../export/exports.ts";
import type { Imports } from "../export/imports.ts";
import type { Uploads } from "../export/uploads.ts";
import { parseJsonBody } from "./bodies.ts";
import { HttpProblem, json, type Answer, type Handler, type Incoming } from "./exchange.ts";
import type { Route } from "./routes.ts";

/** The CLI sends 5 MiB, and more only for files of more than 50 GB. */
const MAX_UPLOAD_PART_BYTES = 64 * 1024 * 1024;
/** Finishing an upload lists the tokens of its parts, up to ten thousand. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const ZIP_PATH = "/api/export/zip/";

export type Moving = {
  readonly exports: Exports;
  readonly imports: Imports;
  readonly uploads: Uploads;
};

export function movingRoutes({ exports, imports, uploads }: Moving): Route[] {
  const post = (path: string, handle: Handler): Route => ({
    method: "POST",
    path,
    access: "admin",
    handle,
  });
  return [
    post("/api/export/request/zip", async ({ url }) => {
      await exports.request(url.searchParams.get("includeStorage") === "true");
      return json({});
    }),
    { method: "GET", path: `${ZIP_PATH}*`, access: "admin", handle: (at) => download(exports, at) },
    post("/api/import/start_upload", async () => json({ uploadToken: await uploads.begin() })),
    post("/api/import/upload_part", async (incoming) => {
      const { searchParams } = incoming.url;
      const part = Number(searchParams.get("partNumber"));
      await uploads.add(
        searchParams.get("uploadToken") ?? "",
        part,
        await incoming.body(MAX_UPLOAD_PART_BYTES),
      );
      return json(String(part));
    }),
    post("/api/import/finish_upload", async (incoming) =>
      json({ importId: await imports.begin(await bodyOf(incoming)) }),
    ),
    post("/api/perform_import", async (incoming) => {
      imports.perform((await bodyOf(incoming))["importId"]);
      return json({});
    }),
  ];
}

async function bodyOf(incoming: Incoming): Promise<Readonly<Record<string, unknown>>> {
  return parseJsonBody(await incoming.body(MAX_BODY_BYTES));
}

async function download(exports: Exports, { url, method }: Incoming): Promise<Answer> {
  const ts = url.pathname.slice(ZIP_PATH.length);
  const zip = method === "GET" ? await exports.download(ts) : null;
  if (zip === null) {
    throw new HttpProblem(
      404,
      "NoSuchExport",
      "No such export waits here; each can be fetched once, soon after it was made. Export again.",
    );
  }
  return {
    status: 200,
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename=snapshot_footfall_${ts}.zip`,
      "cache-control": "no-store",
    },
    body: zip,
  };
}
