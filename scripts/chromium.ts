/**
 * Owns: where a Chromium is on this machine, and how one gets here.
 * Not: how it is driven (tests/e2e, pictures.ts).
 */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "./processes.ts";

/** Set this to use a browser that is not on the path. */
const PATH_VARIABLE = "CHROMIUM_PATH";

const COMMANDS = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const FIXED_PLACES = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** No background traffic of the browser's own, so that every request seen is the page's. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

const WAY_OUT = `No Chromium found on the path. Install one (Debian: sudo apt-get install chromium; Fedora: sudo dnf install chromium; macOS: brew install --cask chromium), or set ${PATH_VARIABLE} to the executable of a Chromium or Chrome.`;

export class NoChromium extends Error {}

export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env[PATH_VARIABLE];
  if (named !== undefined && named !== "") {
    if (isExecutable(named)) return named;
    throw new NoChromium(`${PATH_VARIABLE} is ${named}, and no program is there.`);
  }
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...FIXED_PLACES].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a Chromium, or installs Debian's where that needs nobody's leave. Throws NoChromium with what to do. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found !== null) return found;
  if (!existsSync("/etc/debian_version") || process.getuid?.() !== 0) throw new NoChromium(WAY_OUT);
  console.log("Installing Chromium (apt-get install chromium), once …");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  const { code, output } = await run(
    "apt-get",
    ["install", "-y", "--no-install-recommends", "chromium"],
    { env },
  );
  const installed = findChromium();
  if (code === 0 && installed !== null) return installed;
  throw new NoChromium(`apt-get could not install chromium:\n${output.trimEnd()}\n${WAY_OUT}`);
}
