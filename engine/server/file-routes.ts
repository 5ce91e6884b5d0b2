/**
 * Owns: the addresses of stored files: sending one with the URL that a function has made, and getting one.
 * Not: storing them (the application), what a browser may do with them (file-headers.ts).
 */
import { Readable } from "node:stream";
import type { StoredFiles } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { isContentType } from "../values/content-type.ts";
import { MAX_FILE_BYTES } from "../limits.ts";
import { isUuid } from "../values/uuid.ts";
import { tooLarge } from "./bodies.ts";
import {
  HttpProblem,
  json,
  problem,
  type Answer,
  type AnswerHeaders,
  type Incoming,
} from "./exchange.ts";
import { fileHeaders, rangeOf, wantsToRun } from "./file-headers.ts";
import type { Route } from "./routes.ts";

const FOLDER = "/api/storage/";

export function fileRoutes(files: StoredFiles): Route[] {
  return [
    {
      method: "POST",
      path: `${FOLDER}upload`,
      access: "public",
      handle: (incoming) => upload(files, incoming),
    },
    {
      method: "GET",
      path: `${FOLDER}*`,
      access: "public",
      handle: (incoming) => download(files, incoming),
    },
  ];
}

async function upload(files: StoredFiles, incoming: Incoming): Promise<Answer> {
  const componentPath = await files.uploadTarget(incoming.url.searchParams.get("token") ?? "");
  if (componentPath === null) {
    throw new HttpProblem(
      401,
      "BadUploadToken",
      "This upload URL does not hold, or no longer. Make a new one with ctx.storage.generateUploadUrl().",
    );
  }
  const wanted = { contentType: contentTypeOf(incoming), sha256: digestOf(incoming) };
  assertPlain(incoming);
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_FILE_BYTES)
    throw tooLarge(MAX_FILE_BYTES);
  try {
    const bytes = incoming.stream(MAX_FILE_BYTES);
    return json({ storageId: await files.store(componentPath, bytes, wanted) });
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new HttpProblem(400, "Sha256Mismatch", error.message);
  }
}

function contentTypeOf({ headers }: Incoming): string | null {
  const type = headers["content-type"] ?? null;
  if (type === null || isContentType(type)) return type;
  throw new HttpProblem(400, "BadHeader", "The Content-Type is none: wanted one like image/png.");
}

/** Base64. */
function digestOf({ headers }: Incoming): string | null {
  const { digest } = headers;
  if (digest === undefined) return null;
  const found = /(?:^|,)\s*sha-256=([A-Za-z0-9+/]{43}=)\s*(?:,|$)/i.exec(String(digest));
  if (found !== null) return found[1] ?? null;
  throw new HttpProblem(
    400,
    "BadHeader",
    "The Digest is none that is known here: wanted sha-256= and the SHA-256 of the file in base64.",
  );
}

function assertPlain({ headers }: Incoming): void {
  if (["", "identity"].includes((headers["content-encoding"] ?? "").trim().toLowerCase())) return;
  throw new HttpProblem(
    415,
    "UnsupportedEncoding",
    "A file is stored as it is sent: send it without a Content-Encoding.",
  );
}

async function download(files: StoredFiles, { url, method, headers }: Incoming): Promise<Answer> {
  const name = url.pathname.slice(FOLDER.length);
  const componentPath = url.searchParams.get("component") ?? "";
  const file = isUuid(name) ? await files.open(componentPath, name) : null;
  if (file === null) return problem(404, "FileNotFound", "There is no such file.");
  if (wantsToRun(headers))
    return problem(403, "NotCode", "A stored file does not run on the site that serves it.");
  const { size } = file;
  const range = rangeOf(headers.range, size);
  if (range === "none")
    return { status: 416, headers: { "content-range": `bytes */${size}` }, body: null };
  const { start, end } = range ?? { start: 0, end: size };
  const partly: AnswerHeaders =
    range === null ? {} : { "content-range": `bytes ${start}-${end - 1}/${size}` };
  return {
    status: range === null ? 200 : 206,
    headers: { ...fileHeaders(file), ...partly, "content-length": String(end - start) },
    body: method === "HEAD" ? null : Readable.from(file.read(start, end), { objectMode: false }),
  };
}
