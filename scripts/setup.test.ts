import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "./checkout.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "footfall-setup-"))));
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a script of this text through setup.mjs; `onOutput` may signal what runs it. */
async function throughSetup(
  text: string,
  args: readonly string[],
  onOutput: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
) {
  const script = join(folder, "script.ts");
  writeFileSync(script, text);
  const child = spawn(process.execPath, ["scripts/setup.mjs", script, ...args], { cwd: ROOT });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    onOutput((signal) => child.kill(signal));
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", (code) => resolve(code));
  return { code: await promise, output };
}

test("the script runs on the pinned Node, with its types, its arguments and its exit code", async () => {
  const text = `const args: string[] = process.argv.slice(2);
    console.log(process.version, JSON.stringify(args));
    process.exitCode = 7;`;
  const pinned: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const { code, output } = await throughSetup(text, ["--port", "4000"]);
  expect(pinned).toMatchObject({ devDependencies: { node: output.split(" ")[0]?.slice(1) } });
  expect(output).toContain('["--port","4000"]');
  expect(code).toBe(7);
});

test("a signal reaches the script, which ends in its own way", async () => {
  const text = `setInterval(() => undefined, 60_000);
    process.on("SIGTERM", () => { console.log("stopped cleanly"); process.exit(0); });
    console.log("ready");`;
  const { code, output } = await throughSetup(text, [], (kill) => kill("SIGTERM"));
  expect(output).toBe("ready\nstopped cleanly\n");
  expect(code).toBe(0);
});
