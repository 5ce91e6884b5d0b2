/**
 * Owns: what an entry of a snapshot is, by its path.
 * Not: what is in it (import-source.ts, import-files.ts).
 */
import type { TableAddress } from "../application.ts";

export type TablePlace = TableAddress & { readonly file: "documents" | "generated_schema" };
export type FilePlace = { readonly componentPath: string; readonly id: string };

/** A folder around everything is allowed, as on Convex: people unpack and pack again. */
export function tablePlaceOf(path: string, base: string): TablePlace | null {
  const found = /^(.*\/)?([^/]+)\/(documents|generated_schema)\.jsonl$/.exec(path);
  if (found === null) return null;
  const [, folder = "", name = "", file] = found;
  return {
    componentPath: componentOf(folder, base),
    name,
    file: file === "documents" ? "documents" : "generated_schema",
  };
}

/** Whatever ending the file has. */
export function filePlaceOf(path: string, base: string): FilePlace | null {
  const found = /^(.*\/)?_storage\/([^/.]+)(?:\.[^/]+)?$/.exec(path);
  if (found === null) return null;
  const [, folder = "", id = ""] = found;
  return id === "documents" ? null : { componentPath: componentOf(folder, base), id };
}

function componentOf(folder: string, base: string): string {
  const names: string[] = base === "" ? [] : base.split("/");
  const below = /((?:_components\/[^/]+\/)*)$/.exec(folder)?.[1] ?? "";
  for (const [, component = ""] of below.matchAll(/_components\/([^/]+)\//g)) names.push(component);
  return names.join("/");
}
