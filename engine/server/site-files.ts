/**
 * Owns: reading a file of the built site, packed and with its fingerprint, from memory when it has not changed.
 * Not: which file a path means (static-site.ts).
 */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { contentTypeOf, isWorthPacking } from "./content-types.ts";

const pack = promisify(brotliCompress);
/** Packs nearly as small as the slowest level in a tenth of its time; each file is packed once. */
const PACK_LEVEL = 6;
/** A site's scripts and styles fit well; pictures beyond it are read from disk each time. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;

export type SiteFile = {
  readonly contentType: string;
  readonly etag: string;
  readonly content: Buffer;
  /** Null when packing does not pay. */
  readonly packed: Buffer | null;
};

type KeptFile = {
  readonly file: SiteFile;
  readonly changedAtMs: number;
  readonly sizeBytes: number;
};

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "EISDIR";
}

async function load(path: string): Promise<SiteFile> {
  const content = await readFile(path);
  const contentType = contentTypeOf(extname(path));
  const etag = `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
  const packed = isWorthPacking(contentType)
    ? await pack(content, { params: { [constants.BROTLI_PARAM_QUALITY]: PACK_LEVEL } })
    : null;
  return {
    contentType,
    etag,
    content,
    packed: packed !== null && packed.length < content.length ? packed : null,
  };
}

export class SiteFiles {
  readonly #kept = new Map<string, KeptFile>();
  #keptBytes = 0;

  /** Null when there is no such file. A file that was rebuilt is read anew. */
  async read(path: string): Promise<SiteFile | null> {
    try {
      const about = await stat(path);
      if (!about.isFile()) return null;
      const { mtimeMs: changedAtMs, size: sizeBytes } = about;
      const kept = this.#kept.get(path);
      if (kept?.changedAtMs === changedAtMs && kept.sizeBytes === sizeBytes) return kept.file;
      const file = await load(path);
      this.#keep(path, { file, changedAtMs, sizeBytes });
      return file;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  #keep(path: string, kept: KeptFile): void {
    const bytes = (entry: KeptFile | undefined) =>
      entry === undefined ? 0 : entry.file.content.length + (entry.file.packed?.length ?? 0);
    this.#keptBytes -= bytes(this.#kept.get(path));
    this.#kept.delete(path);
    if (this.#keptBytes + bytes(kept) > MAX_KEPT_BYTES) return;
    this.#kept.set(path, kept);
    this.#keptBytes += bytes(kept);
  }
}
