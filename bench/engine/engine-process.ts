/**
 * Owns: the engine as it really runs: a process of its own, on a data folder; when it first answered, what it weighs.
 * Not: who calls it (load.ts).
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../../engine/storage/sqlite-file.ts";
import { ROOT } from "../../scripts/checkout.ts";

const ENGINE_SCRIPT = join(ROOT, "engine/server/start.ts");
const ANSWERS = /The engine answers at (\S+)/;
const BYTES_PER_KIB = 1_024;
const BYTES_PER_MEGABYTE = 1_000_000;
/** Linux counts in hundredths of a second; places of the two counters behind the process's name. */
const MS_PER_TICK = 10;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

export class EngineProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, url: string, folder: string) {
    this.#child = child;
    this.url = url;
    this.#folder = folder;
  }

  /** `nodeFlags` such as --cpu-prof come beside those of this process, which are those of `npm start`. Resolves when it listens. */
  static async start(folder: string, nodeFlags: readonly string[] = []): Promise<EngineProcess> {
    const args = [
      ...process.execArgv,
      ...nodeFlags,
      ENGINE_SCRIPT,
      "--data",
      folder,
      "--port",
      "0",
      "--site-port",
      "0",
    ];
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const endWithUs = (): void => void child.kill("SIGKILL");
    process.once("exit", endWithUs);
    let output = "";
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const url = ANSWERS.exec(output)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once("close", () => {
      process.off("exit", endWithUs);
      reject(new Error(`The engine ended:\n${output}`));
    });
    return new EngineProcess(child, await promise, folder);
  }

  /** Resident memory, megabytes. */
  memoryMb(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return (
      (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * BYTES_PER_KIB) / BYTES_PER_MEGABYTE
    );
  }

  /** Processor time since its start, of all its threads. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * MS_PER_TICK;
  }

  /** The database with its log, megabytes. */
  diskMb(): number {
    const files = [DATABASE_FILE, `${DATABASE_FILE}-wal`].map((name) => join(this.#folder, name));
    const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_MEGABYTE;
  }

  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#child.once("close", () => resolve());
    this.#child.kill(signal);
    await promise;
  }
}
