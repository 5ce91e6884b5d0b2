/**
 * Owns: the list of what the syscalls of user code work on.
 * Not: making and wiring these parts (application/).
 */
import type {
  ActionResult,
  FunctionTarget,
  Identity,
  MutationResult,
  QueryResult,
} from "../application.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Documents, RandomBytes } from "../catalog/documents.ts";
import type { Clock } from "../clock.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Executor } from "../transactions/executor.ts";
import type { Deployment } from "./deployment.ts";
import type { CallTree } from "./execution.ts";
import type { FileContents } from "./file-contents.ts";
import type { FileStore } from "./file-store.ts";
import type { JobStore } from "./job-store.ts";
import type { StackMapper } from "./stack-mapper.ts";

/** What an action may start: calls of their own, which know on whose behalf they run. */
export type CallsFromActions = {
  readonly query: (call: CallFromAction) => Promise<QueryResult>;
  readonly mutation: (call: CallFromAction) => Promise<MutationResult>;
  readonly action: (call: CallFromAction) => Promise<ActionResult>;
};
export type CallFromAction = {
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly identity: Identity | null;
  readonly tree: CallTree;
};

export type EngineParts = {
  readonly catalog: Catalog;
  readonly documents: Documents;
  readonly jobs: JobStore;
  readonly files: FileStore;
  readonly fileContents: FileContents;
  readonly commits: Commits;
  readonly executor: Executor;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly calls: CallsFromActions;
  /** The running version of the code. Throws a FunctionError before the first push. */
  readonly deployment: () => Deployment;
  /** To tell where in the user's files something failed. */
  readonly stacks: () => readonly StackMapper[];
};
