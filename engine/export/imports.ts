/**
 * Owns: `npx convex import` from the upload to the end, and what the CLI is told of it meanwhile.
 * Not: reading and writing rows (import-run.ts), how tables are replaced (the application).
 *
 * States are kept in the store, where the CLI watches them. An import that a stopped engine was in the middle of has
 * failed: what it had written lies in no table that anybody sees, and is removed.
 */
import { randomBytes } from "node:crypto";
import type { Application, ImportMode, SystemQuery, SystemTransaction } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { parseImportRequest } from "./import-request.ts";
import { planImport, runImport, type Change } from "./import-run.ts";
import type { UploadedFile } from "./import-source.ts";
import { int64Text } from "./int64-text.ts";
import type { Uploads } from "./uploads.ts";

const STATES = "imports/";
const STATES_END = "imports0";
const KEPT_STATES = 20;
const IMPORT_ID_BYTES = 8;

/** As the CLI reads it. */
type State =
  | { readonly state: "uploaded" }
  | {
      readonly state: "waiting_for_confirmation";
      readonly message_to_confirm: string;
      readonly require_manual_confirmation: boolean;
    }
  | {
      readonly state: "in_progress";
      readonly progress_message: string;
      readonly checkpoint_messages: readonly string[];
    }
  | { readonly state: "completed"; readonly num_rows_written: unknown }
  | { readonly state: "failed"; readonly error_message: string };

type Pending = { readonly file: UploadedFile; readonly mode: ImportMode };

export class Imports {
  readonly #application: Application;
  readonly #uploads: Uploads;
  readonly #onProblem: (what: string, error: unknown) => void;
  readonly #pending = new Map<string, Pending>();
  #running: Promise<void> | null = null;

  constructor(
    application: Application,
    uploads: Uploads,
    onProblem: (what: string, error: unknown) => void,
  ) {
    this.#application = application;
    this.#uploads = uploads;
    this.#onProblem = onProblem;
    application.registerSystemQuery("_system/cli/queryImport:default", queryImport);
    application.registerSystemQuery("_system/cli/queryImport:list", () => this.#list());
  }

  /** At start. */
  async failInterrupted(): Promise<void> {
    await this.#application.transact((transaction) => {
      for (const [key, json] of transaction.range(STATES, STATES_END, Infinity)) {
        const { state } = JSON.parse(json) as State;
        if (state !== "completed" && state !== "failed")
          transaction.put(
            key,
            JSON.stringify(failed("The engine stopped during the import. Import again.")),
          );
      }
    });
  }

  /** Returns the import's id; the CLI watches its state from then on. */
  async begin(body: Readonly<Record<string, unknown>>): Promise<string> {
    const { uploadToken, mode, format, tableName, componentPath } = parseImportRequest(body);
    const path = this.#uploads.finish(uploadToken);
    const importId = `${Date.now().toString(36).padStart(9, "0")}${randomBytes(IMPORT_ID_BYTES).toString("hex")}`;
    const pending = { mode, file: { path, format, tableName, componentPath } };
    this.#pending.set(importId, pending);
    await this.#application.transact((transaction) => {
      removeOld(transaction);
      transaction.put(STATES + importId, JSON.stringify({ state: "uploaded" } satisfies State));
    });
    void this.#plan(importId, pending);
    return importId;
  }

  /** What the CLI sends when its user said yes. */
  perform(importId: unknown): void {
    const pending = typeof importId === "string" ? this.#pending.get(importId) : undefined;
    if (typeof importId !== "string" || pending === undefined)
      throw new FunctionError("There is no such import here that waits. Start it again.");
    if (this.#running !== null)
      throw new FunctionError(
        "Another import is under way. Wait for it, then start this one again.",
      );
    this.#pending.delete(importId);
    this.#running = this.#run(importId, pending).finally(() => {
      this.#running = null;
    });
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #plan(importId: string, { file, mode }: Pending): Promise<void> {
    await this.#settled(importId, file, "planned", async () => {
      const changes = await planImport(this.#application, file, mode);
      await this.#set(importId, {
        state: "waiting_for_confirmation",
        message_to_confirm: summaryOf(changes),
        require_manual_confirmation: changes.some(({ deleted }) => deleted > 0),
      });
    });
  }

  async #run(importId: string, { file, mode }: Pending): Promise<void> {
    const done: string[] = [];
    const report = (progress_message: string) =>
      this.#set(importId, { state: "in_progress", progress_message, checkpoint_messages: done });
    await this.#settled(importId, file, "run", async () => {
      await report("Importing");
      const imported = async (name: string, componentPath: string, what: string) => {
        const place = componentPath === "" ? "" : ` in component ${componentPath}`;
        done.push(`Imported "${name}"${place} (${what})`);
        await report("Importing");
      };
      const rows = await runImport(this.#application, file, mode, {
        onRows: ({ name }, count) => report(`Importing "${name}" (${count} documents)`),
        onTable: ({ name, componentPath }, count) =>
          imported(name, componentPath, `${count} documents`),
        onFiles: (componentPath, count) => imported(FILE_TABLE, componentPath, `${count} files`),
      });
      const num_rows_written = JSON.parse(int64Text(BigInt(rows))) as unknown;
      await this.#set(importId, { state: "completed", num_rows_written });
      this.#uploads.remove(file.path);
    });
  }

  /** A failure becomes the import's state; nobody waits for the promise. */
  async #settled(
    importId: string,
    file: UploadedFile,
    what: string,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#uploads.remove(file.path);
      this.#pending.delete(importId);
      const isForCaller = error instanceof FunctionError;
      if (!isForCaller) this.#onProblem(`An import could not be ${what}`, error);
      const message = isForCaller ? error.message : "The engine failed. Its log has the reason.";
      await this.#set(importId, failed(`Hit an error while importing:\n${message}`)).catch(
        (cause: unknown) => this.#onProblem("An import's failure could not be stored", cause),
      );
    }
  }

  #set(importId: string, state: State): Promise<void> {
    return this.#application.transact((transaction) =>
      transaction.put(STATES + importId, JSON.stringify(state)),
    );
  }

  /** The CLI only asks whether one is under way. */
  #list(): string {
    return this.#running === null ? "[]" : '[{"state":{"state":"in_progress"}}]';
  }
}

const queryImport: SystemQuery = (read, argsJson) => {
  const { importId } = JSON.parse(argsJson) as { importId?: unknown };
  const state = read.stored(`${STATES}${String(importId)}`);
  if (state === null) throw new FunctionError(`There is no import ${String(importId)} here.`);
  return `{"state":${state}}`;
};

function failed(error_message: string): State {
  return { state: "failed", error_message };
}

/** Ids begin with the time, so the first ones are the oldest. */
function removeOld(transaction: SystemTransaction): void {
  const states = transaction.range(STATES, STATES_END, Infinity);
  for (const [key] of states.slice(0, Math.max(0, states.length - KEPT_STATES)))
    transaction.put(key, null);
}

function summaryOf(changes: readonly Change[]): string {
  const lines = changes.map(({ componentPath, name, created, deleted, existing }) => [
    componentPath === "" ? name : `${componentPath}: ${name}`,
    String(created),
    `${deleted} of ${existing}`,
  ]);
  const rows = [["table", "create", "delete"], ...lines];
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => (row[i] ?? "").length)));
  const text = rows.map(
    (row) => `${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`,
  );
  return [
    "Import change summary:",
    ...text,
    "Once the import has started, it will run in the background.\nInterrupting `npx convex import` will not cancel it.",
  ].join("\n");
}
