import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDeployment, removeEngine, withEngine, writeEngine } from "./env-file.ts";

const engine = {
  dataFolder: "/srv/foot fall",
  url: "http://127.0.0.1:4000",
  adminKey: "footfall|0a1b",
};

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "footfall-env-"));
  path = join(folder, ".env.local");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("what is written is read back, and only its owner can read it", () => {
  writeEngine(path, engine);
  expect(readDeployment(path)).toEqual({
    kind: "embedded",
    dataFolder: engine.dataFolder,
    url: engine.url,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("lines of a person stay, before and after", () => {
  writeFileSync(path, "VITE_TITLE=Mine\n# note\n");
  writeEngine(path, engine);
  writeEngine(path, engine);
  expect(readFileSync(path, "utf8")).toBe(withEngine("VITE_TITLE=Mine\n# note\n", engine));
  removeEngine(path, engine);
  expect(readFileSync(path, "utf8")).toBe("VITE_TITLE=Mine\n# note\n");
});

test("a file with nothing but our lines goes away with the engine", () => {
  writeEngine(path, engine);
  removeEngine(path, engine);
  expect(existsSync(path)).toBe(false);
});

test("lines of another engine are not removed", () => {
  writeEngine(path, { ...engine, dataFolder: "/elsewhere" });
  removeEngine(path, engine);
  expect(readDeployment(path)).toMatchObject({ dataFolder: "/elsewhere" });
});

test("a Convex deployment, a self-hosted one and a deploy key each count as another deployment", () => {
  writeFileSync(path, "CONVEX_DEPLOYMENT=dev:happy-animal-123 # team: t\n");
  expect(readDeployment(path)).toEqual({ kind: "other", name: "dev:happy-animal-123" });
  writeFileSync(
    path,
    "CONVEX_SELF_HOSTED_URL=https://convex.example\nCONVEX_SELF_HOSTED_ADMIN_KEY=k\n",
  );
  expect(readDeployment(path)).toEqual({ kind: "other", name: "https://convex.example" });
  expect(readDeployment(join(folder, "missing"), { CONVEX_DEPLOY_KEY: "prod:x|y" })).toMatchObject({
    kind: "other",
  });
});

test("no file and an empty one name no deployment", () => {
  expect(readDeployment(path)).toEqual({ kind: "none" });
  writeFileSync(path, "CONVEX_DEPLOYMENT=\n");
  expect(readDeployment(path)).toEqual({ kind: "none" });
});
