/**
 * Owns: content/ as posts and pages: front matter, addresses, and the durations that the texts name.
 * Not: storing them (sync-content.ts), or how Markdown looks (src/site/Prose.tsx).
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as intervals from "../domain/intervals.ts";

export type Page = {
  readonly slug: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly body: string;
};
/** `date` is an ISO day. */
export type Post = Page & { readonly date: string };
export type Content = { readonly posts: readonly Post[]; readonly pages: readonly Page[] };

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;
const FACT = /\{\{(\w+)\}\}/g;

/**
 * Reads `folder`/pages in the order of its file names and `folder`/posts against it: of two posts of one day the one
 * that is stored later is listed first. Throws on what is incomplete.
 */
export async function readContent(folder: string): Promise<Content> {
  const posts = await readMarkdown(join(folder, "posts"));
  const pages = await readMarkdown(join(folder, "pages"));
  return {
    posts: posts.map(([file, text]) => parsePost(file, text)).reverse(),
    pages: pages.map(([file, text]) => parsePage(file, text)),
  };
}

async function readMarkdown(folder: string): Promise<[file: string, text: string][]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const file = join(folder, name);
      return [file, await readFile(file, "utf8")];
    }),
  );
}

export function parsePost(file: string, text: string): Post {
  const { fields, body } = parse(file, text);
  const slug = requiredSlug(file, fields);
  const date = required(file, fields, "date");
  if (!ISO_DAY.test(date) || Number.isNaN(Date.parse(date))) {
    throw new Error(`${file}: date is "${date}". Write a day, such as 2026-11-30.`);
  }
  return { slug, path: `/posts/${slug}`, ...texts(file, fields), date, body };
}

export function parsePage(file: string, text: string): Page {
  const { fields, body } = parse(file, text);
  const slug = requiredSlug(file, fields);
  return { slug, path: `/${slug}`, ...texts(file, fields), body };
}

type Fields = ReadonlyMap<string, string>;

function parse(file: string, text: string): { fields: Fields; body: string } {
  const [, head, body] = FRONT_MATTER.exec(text) ?? [];
  if (head === undefined || body === undefined) {
    throw new Error(
      `${file} does not begin with front matter. Begin it with lines such as "title: …" between two lines of "---".`,
    );
  }
  const fields = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return { fields, body: fillFacts(file, body).trim() };
}

function required(file: string, fields: Fields, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === "") {
    throw new Error(`${file} has no ${name}. Add a line "${name}: …" to its front matter.`);
  }
  return value;
}

function requiredSlug(file: string, fields: Fields): string {
  const slug = required(file, fields, "slug");
  if (SLUG.test(slug)) return slug;
  throw new Error(`${file}: slug is "${slug}". Use lower-case letters, digits and single hyphens.`);
}

function texts(file: string, fields: Fields): { title: string; description: string } {
  return {
    title: required(file, fields, "title"),
    description: required(file, fields, "description"),
  };
}

const durations: ReadonlyMap<string, number> = new Map(Object.entries(intervals));

/** `{{NAME}}` is a constant of domain/intervals.ts in words, so that no text restates a number that can change. */
function fillFacts(file: string, body: string): string {
  return body.replace(FACT, (_, name: string) => {
    const durationMs = durations.get(name);
    if (durationMs !== undefined) return inWords(durationMs);
    throw new Error(
      `${file} names {{${name}}}, which is no interval. Known: ${[...durations.keys()].join(", ")}.`,
    );
  });
}

/** Whole minutes as minutes, all else as seconds: "30 minutes", "1 second". */
export function inWords(durationMs: number): string {
  const seconds = durationMs / 1_000;
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
