/**
 * Owns: which file of the built site a path means, how long browsers keep it, and pages of the single-page app.
 * Not: reading files (site-files.ts).
 */
import { extname, join, resolve, sep } from "node:path";
import type { Answer, AnswerHeaders, Incoming } from "./exchange.ts";
import { problem } from "./exchange.ts";
import { securityHeaders } from "./security-headers.ts";
import { SiteFiles, type SiteFile } from "./site-files.ts";

/** Vite names what it builds into assets/ after its content, so such a file never changes. */
const HASHED_ASSET = /^\/assets\/.+-[\w-]{8,}\.\w+$/;
const KEEP_FOR_EVER = "public, max-age=31536000, immutable";
/** Kept, but asked for anew each time: the answer is 304 while it is the same. */
const ASK_AGAIN = "no-cache";

const PAGE = "/index.html";

export class StaticSite {
  readonly #folder: string;
  readonly #files = new SiteFiles();

  constructor(folder: string) {
    this.#folder = resolve(folder);
  }

  async respond(incoming: Incoming): Promise<Answer | null> {
    const { method, url } = incoming;
    if (method !== "GET" && method !== "HEAD") return null;
    const path = decodedPath(url.pathname);
    if (path === null)
      return problem(400, "BadPath", "The path is not valid UTF-8 or holds a forbidden character.");
    const file = await this.#read(path === "/" ? PAGE : path);
    if (file !== null)
      return answer(incoming, file, HASHED_ASSET.test(path) ? KEEP_FOR_EVER : ASK_AGAIN);
    if (extname(path) !== "" || HASHED_ASSET.test(path)) return null;
    const page = await this.#read(PAGE);
    return page === null ? null : answer(incoming, page, ASK_AGAIN);
  }

  async #read(path: string): Promise<SiteFile | null> {
    const absolute = resolve(join(this.#folder, path));
    if (!absolute.startsWith(this.#folder + sep)) return null;
    return this.#files.read(absolute);
  }
}

/** URL has removed "..", but not what was encoded; a backslash or NUL is never part of a file of a site. */
function decodedPath(pathname: string): string | null {
  try {
    const path = decodeURIComponent(pathname);
    return /[\0\\]/.test(path) || path.split("/").includes("..") ? null : path;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function accepts(header: string | string[] | undefined, coding: string): boolean {
  return String(header ?? "")
    .split(",")
    .some((entry) => entry.trim().split(";")[0] === coding);
}

function answer({ headers, url }: Incoming, file: SiteFile, cacheControl: string): Answer {
  const common: AnswerHeaders = {
    ...securityHeaders(headers, url.pathname),
    etag: file.etag,
    "cache-control": cacheControl,
    vary: "accept-encoding",
  };
  const known = String(headers["if-none-match"] ?? "")
    .split(",")
    .map((entry) => entry.trim().replace(/^W\//, ""));
  if (known.includes(file.etag)) return { status: 304, headers: common, body: null };
  const typed = { ...common, "content-type": file.contentType };
  if (file.packed !== null && accepts(headers["accept-encoding"], "br")) {
    return { status: 200, headers: { ...typed, "content-encoding": "br" }, body: file.packed };
  }
  return { status: 200, headers: typed, body: file.content };
}
