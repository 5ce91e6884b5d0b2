/**
 * Owns: what a browser may do with a stored file, and which part of it was asked for.
 * Not: the files (application/file-access.ts).
 *
 * Anybody who may upload chooses what a file holds, and it is served from the origin of the site. So nothing in it runs
 * there: what a browser would show as a page is downloaded, or else shown without scripts and as if from nowhere, and
 * a page of the site cannot load it as a script.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { AnswerHeaders } from "./exchange.ts";

/** Browsers show these and run nothing in them. A PDF viewer does not start in a sandbox. */
const INERT = /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/plain$|application\/pdf$)/;
/** With nosniff it is downloaded and never run. */
const UNKNOWN_TYPE = "application/octet-stream";
/** As on Convex: a name never means another file. */
const KEPT_FOR_SECONDS = 30 * 24 * 60 * 60;
const RUNS_AS_CODE: ReadonlySet<unknown> = new Set([
  "script",
  "worker",
  "sharedworker",
  "serviceworker",
  "audioworklet",
  "paintworklet",
  "xslt",
]);

export function fileHeaders({
  contentType,
  sha256,
}: {
  readonly contentType: string | null;
  readonly sha256: string;
}): AnswerHeaders {
  const type = contentType ?? UNKNOWN_TYPE;
  const essence = (type.split(";")[0] ?? "").trim().toLowerCase();
  return {
    "content-type": type,
    "accept-ranges": "bytes",
    "cache-control": `private, max-age=${KEPT_FOR_SECONDS}`,
    digest: `sha-256=${sha256}`,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    ...(INERT.test(essence)
      ? {}
      : {
          "content-disposition": "attachment",
          "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        }),
  };
}

/** Whether a page of this very origin wants to run the file. Other sites' pages may: they trust it or not. */
export function wantsToRun(headers: IncomingHttpHeaders): boolean {
  return headers["sec-fetch-site"] === "same-origin" && RUNS_AS_CODE.has(headers["sec-fetch-dest"]);
}

export type ByteRange = { readonly start: number; readonly end: number };

/** `end` is exclusive. Null: all of it was asked for. "none": no such part, or more than one. */
export function rangeOf(header: string | undefined, size: number): ByteRange | "none" | null {
  if (header === undefined || !/^bytes=/i.test(header)) return null;
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(header.replaceAll(" ", "")) ?? [];
  if (first === "" && last === "") return "none";
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end } : "none";
}
