/** Owns: opening a ZIP file: its entries, and each as a stream. Not: what lies in it (import-source.ts). */
import type { Readable } from "node:stream";
import { open, type Entry, type ZipFile } from "yauzl";
import { FunctionError } from "../errors.ts";

export type ZipEntry = { readonly path: string; open(): Promise<Readable> };
export type OpenZip = { readonly entries: readonly ZipEntry[]; close(): void };

export async function openZip(path: string): Promise<OpenZip> {
  try {
    const zip = await opened(path);
    const entries = await entriesOf(zip);
    return { entries, close: () => zip.close() };
  } catch (error) {
    throw new FunctionError(`The file is no ZIP that can be read: ${reasonOf(error)}.`);
  }
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(error);
    });
  });
}

function entriesOf(zip: ZipFile): Promise<ZipEntry[]> {
  return new Promise((resolve, reject) => {
    const entries: ZipEntry[] = [];
    zip.on("entry", (entry: Entry) => {
      entries.push({ path: entry.fileName, open: () => streamOf(zip, entry) });
      zip.readEntry();
    });
    zip.on("end", () => resolve(entries));
    zip.on("error", reject);
    zip.readEntry();
  });
}

function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error === null) resolve(stream);
      else reject(new FunctionError(`${entry.fileName} cannot be read: ${reasonOf(error)}.`));
    });
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
