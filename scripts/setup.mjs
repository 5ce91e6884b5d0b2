/**
 * Owns: that the installed packages are those of package-lock.json, and that the pinned Node runs the script named.
 * Not: anything else. Plain JavaScript without dependencies, because it runs before there are any, on any Node since 18.
 *
 *   node scripts/setup.mjs scripts/start.ts --port 4000
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const ROOT_FOLDER = resolve(fileURLToPath(import.meta.url), "../..");
const MODULES = join(ROOT_FOLDER, "node_modules");
const NODE_PACKAGE = join(MODULES, "node");
const PINNED_NODE = join(NODE_PACKAGE, "bin", process.platform === "win32" ? "node.exe" : "node");

/** How soon it is noticed that npm is gone; somebody waits for the port to be free. */
const LOOK_FOR_PARENT_MS = 500;

/**
 * Objects that live for one call die young, and V8 lets them pile up by the machine's memory, not by need: with its own
 * choice an engine under load holds more memory and is no quicker (`npm run bench:engine -- --only soak`). The old ones
 * are collected when they have grown by so many per cent, and not when there are three times as many.
 */
const NODE_FLAGS = ["--max-semi-space-size=8", "--heap-growing-percent=80"];

/** Node strips types by itself since this version. */
const OLDEST_NODE_WITH_TYPES = [22, 18];

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail("Usage: node scripts/setup.mjs <script> [...args]");
if (!isInstalled()) install();
run(findNode());

/** npm leaves a copy of what it installed; it must agree with package-lock.json, whoever installed it. */
function isInstalled() {
  const wanted = readPackages(join(ROOT_FOLDER, "package-lock.json"));
  const present = readPackages(join(MODULES, ".package-lock.json"));
  if (wanted === null)
    fail("package-lock.json is missing or broken: get it back from the repository.");
  if (present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return present[path] === undefined ? optional === true : present[path].version === version;
  });
}

function readPackages(path) {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function install() {
  console.log("Installing packages (npm ci), once; this takes about half a minute …");
  const { command, before } = npm();
  const options = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const result = spawnSync(command, [...before, ...options], {
    cwd: ROOT_FOLDER,
    stdio: "inherit",
  });
  if (result.status === 0) return;
  fail(
    `npm ci failed${result.error ? `: ${result.error.message}` : ""}. Its reason stands above; once that is mended, the same command goes on from here.`,
  );
}

/** Under `npm run` the npm that runs us, else the one on the path. */
function npm() {
  const path = process.env.npm_execpath;
  if (path !== undefined && /npm-cli\.c?js$/.test(path))
    return { command: process.execPath, before: [path] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", before: [] };
}

/** The pinned Node; where install scripts are switched off it is fetched here, and else a Node that is new enough will do. */
function findNode() {
  if (works(PINNED_NODE)) return PINNED_NODE;
  const [major, minor] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE_WITH_TYPES;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return process.execPath;
  console.log(
    "Fetching the pinned Node (npm did not run the install script of the package node) …",
  );
  spawnSync(process.execPath, ["installArchSpecificPackage"], {
    cwd: NODE_PACKAGE,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (works(PINNED_NODE)) return PINNED_NODE;
  return fail(
    `This is Node ${process.versions.node}; Footfall needs ${OLDEST_NODE_WITH_TYPES.join(".")} or newer, and the Node that it pins could not be installed. Run "npm rebuild node", or install a newer Node from https://nodejs.org.`,
  );
}

function works(node) {
  return existsSync(node) && spawnSync(node, ["--version"]).status === 0;
}

function run(node) {
  const path = [join(MODULES, ".bin"), process.env.PATH ?? ""].join(delimiter);
  const child = spawn(node, [...NODE_FLAGS, script, ...args], {
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // Sent twice when a terminal signals the whole group; the scripts take the second for the first.
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  // npm that is told to end ends only its shell, and leaves what the shell started without a parent.
  const parent = process.ppid;
  const look = () => process.ppid !== parent && child.kill("SIGTERM");
  setInterval(look, LOOK_FOR_PARENT_MS).unref();
  child.on("error", (error) => fail(`${node} does not start: ${error.message}`));
  child.on("exit", (code, signal) => {
    process.exit(signal === null ? code : 128 + (constants.signals[signal] ?? 0));
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
