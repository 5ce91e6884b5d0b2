/**
 * Owns: `GET /badge/<site>.svg`: one number of a site as a picture that any page may show.
 * Not: the number (stats.ts), or which sites have one (settings.ts).
 *
 * Exact at the moment it is asked for, and kept by browsers and proxies for a minute, so that a page that many read
 * does not ask for each of them.
 */
import { internal } from "../_generated/api.js";
import type { ActionCtx, QueryCtx } from "../_generated/server.js";
import { findSiteRow, siteOf } from "./sites.ts";
import { getInstantHeadline } from "./stats.ts";

const BADGE_FIGURES = ["total", "today", "live"] as const;
type BadgeFigure = (typeof BADGE_FIGURES)[number];

/** Null: nobody was told apart, so nobody is known to be online. */
export type BadgeNumbers = { total: number; today: number; live: number | null; atLeast: boolean };

const WORDS: Readonly<Record<BadgeFigure, readonly [one: string, many: string]>> = {
  total: ["view", "views"],
  today: ["view today", "views today"],
  live: ["reading now", "reading now"],
};

const PATH = /^\/badge\/([^/]+)\.svg$/;
const PICTURE_HEADERS = {
  "Cache-Control": "public, max-age=60",
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'",
};

export async function serve(ctx: ActionCtx, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const asked = searchParams.get("shows") ?? "total";
  const figure = BADGE_FIGURES.find((one) => one === asked);
  if (figure === undefined) {
    return refuse(400, `"shows" is not one of ${BADGE_FIGURES.join(", ")}.`);
  }
  const slug = PATH.exec(pathname)?.[1];
  const numbers =
    slug === undefined ? null : await ctx.runQuery(internal.badges.read, { site: slug });
  if (numbers === null) {
    return refuse(404, "No site of that name has a badge. npm run sites -- set SITE --badge on");
  }
  const headers = { ...PICTURE_HEADERS, "Content-Type": "image/svg+xml; charset=utf-8" };
  return new Response(svgOf(textOf(numbers, figure)), { status: 200, headers });
}

/** Null where the site has none, or is none. */
export async function read(ctx: QueryCtx, args: { site: string }): Promise<BadgeNumbers | null> {
  const row = await findSiteRow(ctx, args.site);
  if (row === null || row.removingSince !== undefined || row.badge !== true) return null;
  const headline = await getInstantHeadline(ctx, siteOf(row));
  const { totalPageViews, viewsToday, activeVisitors, atLeast } = headline;
  return { total: totalPageViews, today: viewsToday, live: activeVisitors, atLeast };
}

function textOf(numbers: BadgeNumbers, figure: BadgeFigure): string {
  const value = numbers[figure];
  if (value === null) return "not measured";
  const [one, many] = WORDS[figure];
  const count = new Intl.NumberFormat("en-US").format(value);
  return `${numbers.atLeast && figure !== "live" ? "at least " : ""}${count} ${value === 1 ? one : many}`;
}

/** A character of this size is about so wide; the text is told to fill just that. */
const CHARACTER_PX = 6.6;
const PADDING_PX = 8;

/** `text` is made of figures and the words above: nothing of it comes from a visitor. */
function svgOf(text: string): string {
  const inner = Math.round(text.length * CHARACTER_PX);
  const width = inner + 2 * PADDING_PX;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${text}">` +
    `<title>${text}</title><rect width="${width}" height="20" rx="4" fill="#2b3a63"/>` +
    `<text x="${PADDING_PX}" y="14" textLength="${inner}" fill="#fcfbf8" ` +
    `font-family="Inter,system-ui,sans-serif" font-size="12">${text}</text></svg>\n`
  );
}

function refuse(status: number, text: string): Response {
  const headers = { ...PICTURE_HEADERS, "Content-Type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, {
    status,
    headers: { ...headers, "Cache-Control": "no-store" },
  });
}
