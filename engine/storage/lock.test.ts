import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { DataFolderError } from "../errors.ts";
import { temporaryFolder } from "./folder.helpers.ts";
import { lockDataFolder } from "./lock.ts";

const HOLDER = fileURLToPath(new URL("./lock-holder.helpers.ts", import.meta.url));

async function startHolder(folder: string): Promise<{ process: ChildProcess; says: string }> {
  const child = spawn(process.execPath, [HOLDER, folder], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [output] = (await once(child.stdout, "data")) as [Buffer];
  return { process: child, says: output.toString().trim() };
}

test("a second engine on the same folder is refused, and is told which process holds it", async () => {
  const folder = temporaryFolder();
  const holder = await startHolder(folder);
  expect(holder.says).toBe("held");
  expect(() => lockDataFolder(folder)).toThrow(DataFolderError);
  expect(() => lockDataFolder(folder)).toThrow(
    `The data folder ${folder} is in use by process ${holder.process.pid}. ` +
      "Stop that process, or choose another folder with --data.",
  );
  expect((await startHolder(folder)).says).toContain("held: The data folder");
});

test("a second engine in the same process is refused too", () => {
  const folder = temporaryFolder();
  const lock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(`in use by process ${process.pid}.`);
  lock.release();
});

test("a folder whose process was killed is free at once", async () => {
  const folder = temporaryFolder();
  const holder = await startHolder(folder);
  const closed = once(holder.process, "close");
  holder.process.kill("SIGKILL");
  await closed;
  expect(existsSync(join(folder, "engine.pid"))).toBe(true);
  lockDataFolder(folder).release();
});

test("a pid that another living program got since does not block", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "engine.pid"), `${process.ppid}\n`);
  lockDataFolder(folder).release();
});

test("a released folder can be held again, and releasing twice does not free it for a third", () => {
  const folder = temporaryFolder();
  const first = lockDataFolder(folder);
  first.release();
  const second = lockDataFolder(folder);
  first.release();
  expect(() => lockDataFolder(folder)).toThrow("is in use");
  second.release();
});

test("a folder that does not exist yet is made", () => {
  const folder = join(temporaryFolder(), "deep", "down");
  lockDataFolder(folder).release();
  expect(existsSync(folder)).toBe(true);
});

test("a folder that cannot be written gives one sentence that names it and the way out", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    expect(() => lockDataFolder(folder)).toThrow(DataFolderError);
    expect(() => lockDataFolder(folder)).toThrow(
      /^The data folder .* cannot be written \(.*\)\. Change its permissions, or choose another folder with --data\.$/,
    );
  }
});

test("a folder where none can be made is refused too, and the engine does not hang", async () => {
  expect((await startHolder("/proc/nope/data")).says).toContain(
    "/proc/nope/data cannot be written",
  );
});

test("a pid file that cannot be written does not leave the folder held", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "engine.pid"));
  expect(() => lockDataFolder(folder)).toThrow("cannot be written");
  rmdirSync(join(folder, "engine.pid"));
  lockDataFolder(folder).release();
});

test("a pid file that was damaged does not hide that the folder is held", () => {
  const folder = temporaryFolder();
  const lock = lockDataFolder(folder);
  writeFileSync(join(folder, "engine.pid"), "?");
  expect(() => lockDataFolder(folder)).toThrow("is in use by another process.");
  lock.release();
});
