/**
 * Owns: a real Chromium, and contexts in it that remember what went wrong on their pages and where they talked to.
 * Not: what is tested.
 */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from "playwright-core";
import { CHROMIUM_FLAGS, ensureChromium } from "../../scripts/chromium.ts";

/** Playwright switches the back/forward cache off, because its pages confuse some tests. */
const NO_BACK_FORWARD_CACHE = "--disable-back-forward-cache";

export async function launchBrowser({ withBackForwardCache = false } = {}): Promise<Browser> {
  return await chromium.launch({
    executablePath: await ensureChromium(),
    args: [...CHROMIUM_FLAGS],
    ignoreDefaultArgs: withBackForwardCache ? [NO_BACK_FORWARD_CACHE] : [],
  });
}

/** A visitor: a browser of its own (storage, cache), and what must stay empty. */
export type Visitor = {
  readonly context: BrowserContext;
  newPage: () => Promise<Page>;
  /** Console errors and warnings, uncaught exceptions, failed requests. */
  readonly complaints: string[];
  /** Origins that pages asked for anything, websockets included. */
  readonly origins: Set<string>;
};

export async function newVisitor(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({ userAgent: ofAPerson(browser), ...options });
  const complaints: string[] = [];
  const origins = new Set<string>();
  const note = (url: string) => {
    if (/^(https?|wss?):/.test(url)) origins.add(new URL(url).origin.replace(/^ws/, "http"));
  };
  context.on("request", (request) => note(request.url()));
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("page", (page) => page.on("websocket", (socket) => note(socket.url())));
  return { context, newPage: () => context.newPage(), complaints, origins };
}

/** What the same Chromium says with a window; headless, it says that it is headless, and is filtered as a bot. */
function ofAPerson(browser: Browser): string {
  const major = browser.version().split(".")[0];
  return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
