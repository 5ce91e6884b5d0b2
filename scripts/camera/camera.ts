/**
 * Owns: a browser that photographs pages as readers see them, in several looks.
 * Not: which pages, and what they show.
 */
import { chromium, type Browser, type Page } from "playwright-core";
import { join } from "node:path";
import { ROOT } from "../checkout.ts";
import { CHROMIUM_FLAGS, ensureChromium } from "../chromium.ts";

export const PICTURES_FOLDER = join(ROOT, "pictures");

const SIZES = {
  wide: { width: 1440, height: 900 },
  tablet: { width: 900, height: 1100 },
  phone: { width: 390, height: 844 },
} as const;

export type Look = {
  readonly size: keyof typeof SIZES;
  readonly colorScheme: "light" | "dark";
};

export const WIDE_LIGHT: Look = { size: "wide", colorScheme: "light" };
export const WIDE_DARK: Look = { size: "wide", colorScheme: "dark" };
export const TABLET_LIGHT: Look = { size: "tablet", colorScheme: "light" };
export const PHONE_LIGHT: Look = { size: "phone", colorScheme: "light" };
export const PHONE_DARK: Look = { size: "phone", colorScheme: "dark" };
export const ALL_LOOKS: readonly Look[] = [
  WIDE_LIGHT,
  WIDE_DARK,
  TABLET_LIGHT,
  PHONE_LIGHT,
  PHONE_DARK,
];

export async function openCamera(): Promise<Browser> {
  return await chromium.launch({
    executablePath: await ensureChromium(),
    args: [...CHROMIUM_FLAGS],
  });
}

/**
 * A page at `url` in a browser of its own that is not counted, so that taking a picture does not change it.
 * `isCutOff`: the websocket never gets an answer.
 */
export async function openPage(
  camera: Browser,
  url: string,
  look: Look,
  { isCutOff = false } = {},
): Promise<Page> {
  const context = await camera.newContext({
    viewport: SIZES[look.size],
    colorScheme: look.colorScheme,
    deviceScaleFactor: look.size === "phone" ? 2 : 1,
  });
  await context.addInitScript(() => window.localStorage.setItem("footfall_opt_out", "1"));
  const page = await context.newPage();
  if (isCutOff) await page.routeWebSocket(/\/sync/, () => undefined);
  page.on("console", (message) => {
    if (message.type() === "error") console.warn(`${url}: ${message.text()}`);
  });
  page.on("pageerror", (error) => console.warn(`${url}: ${error.message}`));
  await page.goto(url);
  return page;
}

/** Takes the picture once `sign` is on the page and its fonts are, and closes the page. */
export async function takePicture(
  page: Page,
  name: string,
  look: Look,
  sign: string,
): Promise<void> {
  await page.locator(sign).first().waitFor();
  await page.evaluate(async () => void (await document.fonts.ready));
  await seeAll(page);
  const file = `${name}-${look.size}-${look.colorScheme}.png`;
  const path = join(PICTURES_FOLDER, file);
  await page.screenshot({ path, fullPage: true, animations: "disabled" });
  await warnOfOverflow(page, file);
  await page.context().close();
  console.log(`pictures/${file}`);
}

/** What is loaded when it is seen is loaded, as for whoever scrolls. */
export async function seeAll(page: Page): Promise<void> {
  const map = page.locator(".country-map");
  if ((await map.count()) === 0) return;
  await map.scrollIntoViewIfNeeded();
  await map.locator(".world").waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
}

async function warnOfOverflow(page: Page, file: string): Promise<void> {
  const widths = await page.evaluate(() => ({
    needed: document.documentElement.scrollWidth,
    there: window.innerWidth,
  }));
  if (widths.needed > widths.there) {
    console.warn(`${file} is ${widths.needed} px wide, the window ${widths.there} px.`);
  }
}
