/** Owns: ctx.db.query: opening, stepping and closing a stream, and pages. Not: reading rows (query-stream.ts). */
import { FunctionError } from "../../errors.ts";
import { readPage } from "../pagination.ts";
import type { PageRequest } from "../pagination.ts";
import { planQuery } from "../query-plan.ts";
import type { SerializedQuery } from "../query-plan.ts";
import { QueryStream } from "../query-stream.ts";
import { syscall } from "./syscall.ts";
import type { SyscallAtOnce, Syscalls } from "./syscall.ts";

type QueryArgs = { readonly query: SerializedQuery };
type StreamArgs = { readonly queryId: number };

export const queries: Syscalls = {
  "1.0/queryStreamNext": syscall<StreamArgs>((execution, { queryId }) => {
    const document = execution.stream(queryId).next();
    return { value: document, done: document === null };
  }),

  "1.0/queryPage": syscall<QueryArgs & PageRequest>((execution, args, { catalog }) => {
    const transaction = execution.requireTransaction();
    const { instance, tree } = execution;
    if (instance.parent !== null) {
      throw new FunctionError("paginate() is only supported in the app.");
    }
    if (tree.nextJournal !== null) {
      throw new FunctionError(
        "This query or mutation function ran multiple paginated queries. " +
          "Convex only supports a single paginated query in each function.",
      );
    }
    transaction.usage.add("databaseQueries", 1);
    const plan = planQuery(catalog, instance.componentPath, args.query);
    const page = readPage(transaction, plan, args, pinnedEnd(tree.journal));
    tree.nextJournal = JSON.stringify({ endCursor: page.continueCursor });
    return page;
  }),
};

export const queriesAtOnce: Readonly<Record<string, SyscallAtOnce>> = {
  "1.0/queryStream": (execution, argsJson, { catalog }) => {
    const transaction = execution.requireTransaction();
    transaction.usage.add("databaseQueries", 1);
    const { query } = JSON.parse(argsJson) as QueryArgs;
    const plan = planQuery(catalog, execution.instance.componentPath, query);
    return JSON.stringify({ queryId: execution.addStream(new QueryStream(transaction, plan)) });
  },

  "1.0/queryCleanup": (execution, argsJson) => {
    execution.closeStream((JSON.parse(argsJson) as StreamArgs).queryId);
    return "{}";
  },
};

/** A journal comes back from the client, who may have changed it; anything odd pins nothing. */
function pinnedEnd(journal: string | null): string | null {
  if (journal === null) return null;
  const journaled = parseJournal(journal);
  const isOurs = typeof journaled === "object" && journaled !== null && "endCursor" in journaled;
  return isOurs && typeof journaled.endCursor === "string" ? journaled.endCursor : null;
}

function parseJournal(journal: string): unknown {
  try {
    return JSON.parse(journal);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
