/**
 * Owns: files that the CLI sends in parts: putting them together in a folder of their own, and removing them.
 * Not: what is in them (import-source.ts).
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FunctionError } from "../errors.ts";

const TOKEN_BYTES = 16;

export class Uploads {
  readonly #folder: string;
  /** Token → how many parts are there. */
  readonly #parts = new Map<string, number>();

  /** What an earlier process left in the folder is removed. */
  constructor(folder: string) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
  }

  async begin(): Promise<string> {
    mkdirSync(this.#folder, { recursive: true });
    const token = randomBytes(TOKEN_BYTES).toString("hex");
    await writeFile(this.#pathOf(token), "");
    this.#parts.set(token, 0);
    return token;
  }

  /** In order, from 1. */
  async add(token: string, partNumber: number, part: Uint8Array): Promise<void> {
    const received = this.#parts.get(token);
    if (received === undefined) throw unknownUpload();
    if (partNumber !== received + 1) {
      throw new FunctionError(
        `Part ${partNumber} came after part ${received}; send them in order.`,
      );
    }
    await appendFile(this.#pathOf(token), part);
    this.#parts.set(token, partNumber);
  }

  /** The path of the whole file. */
  finish(token: string): string {
    if (!this.#parts.delete(token)) throw unknownUpload();
    return this.#pathOf(token);
  }

  remove(path: string): void {
    rmSync(path, { force: true });
  }

  #pathOf(token: string): string {
    return join(this.#folder, token);
  }
}

function unknownUpload(): FunctionError {
  return new FunctionError("There is no such upload here. Start the import again.");
}
