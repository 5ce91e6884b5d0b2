/**
 * Owns: what `.env.local` says of the deployment in use, and our own lines in it, so that `npx convex run …`
 * reaches the running engine from another terminal.
 * Not: the deployment itself. A file that names another deployment is never touched.
 */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

/** Tells our lines from those of a person; its value is the data folder of the engine that wrote them. */
const MARKER = "FOOTFALL_EMBEDDED";
const URL_NAME = "CONVEX_SELF_HOSTED_URL";
const KEY_NAME = "CONVEX_SELF_HOSTED_ADMIN_KEY";
const COMMENT = "# The embedded engine's, while it runs. Written and removed by Footfall.";

/** `convex dev` adds these for whatever it talks to; beside our marker they name our engine. */
const WRITTEN_BY_CLI = ["CONVEX_URL", "CONVEX_SITE_URL", "VITE_CONVEX_URL", "VITE_CONVEX_SITE_URL"];

const OURS = new Set([MARKER, URL_NAME, KEY_NAME, ...WRITTEN_BY_CLI]);

export type Deployment =
  | { readonly kind: "none" }
  | { readonly kind: "embedded"; readonly dataFolder: string; readonly url: string }
  | { readonly kind: "other"; readonly name: string };

export type Engine = {
  readonly dataFolder: string;
  readonly url: string;
  readonly adminKey: string;
};

/** Which deployment the file names; a missing file names none. Variables of the shell count too: the CLI prefers them. */
export function readDeployment(path: string, shell: NodeJS.ProcessEnv = {}): Deployment {
  const file = existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
  const variables = { ...file, ...shell };
  const name =
    variables.CONVEX_DEPLOYMENT ?? (variables.CONVEX_DEPLOY_KEY ? "CONVEX_DEPLOY_KEY" : undefined);
  if (name) return { kind: "other", name };
  const url = variables[URL_NAME];
  if (!url) return { kind: "none" };
  const dataFolder = variables[MARKER];
  return dataFolder ? { kind: "embedded", dataFolder, url } : { kind: "other", name: url };
}

/** Text of the file with our lines for `engine`, or without any of them. Lines of a person stay. */
export function withEngine(text: string, engine: Engine | null): string {
  const kept = text
    .split("\n")
    .filter((line) => line !== COMMENT && !OURS.has(line.split("=")[0]?.trim() ?? ""));
  const rest = kept.join("\n").trim();
  if (engine === null) return rest === "" ? "" : `${rest}\n`;
  const lines = [
    COMMENT,
    `${MARKER}=${JSON.stringify(engine.dataFolder)}`,
    `${URL_NAME}=${engine.url}`,
    `${KEY_NAME}=${engine.adminKey}`,
  ];
  return `${rest === "" ? "" : `${rest}\n\n`}${lines.join("\n")}\n`;
}

/** Only for its owner to read: an admin key means code execution. */
export function writeEngine(path: string, engine: Engine): void {
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeFileSync(path, withEngine(text, engine), { mode: 0o600 });
  chmodSync(path, 0o600);
}

/** Takes our lines out again, unless another engine's have replaced them. */
export function removeEngine(path: string, engine: Engine): void {
  const named = readDeployment(path);
  if (
    named.kind !== "embedded" ||
    named.url !== engine.url ||
    named.dataFolder !== engine.dataFolder
  )
    return;
  const rest = withEngine(readFileSync(path, "utf8"), null);
  if (rest === "") rmSync(path);
  else writeFileSync(path, rest);
}
