/** Owns: ctx.db.get, normalizeId, count. Not: queries (queries.ts). */
import { wholeTable } from "../../catalog/index-range.ts";
import { FunctionError } from "../../errors.ts";
import { QueryStream } from "../query-stream.ts";
import { tableOf } from "./document-ids.ts";
import type { DocumentAddress } from "./document-ids.ts";
import { syscall } from "./syscall.ts";
import type { SyscallAtOnce, Syscalls } from "./syscall.ts";

type GetArgs = DocumentAddress & { readonly isSystem?: boolean };

export const reads: Syscalls = {
  "1.0/get": syscall<GetArgs>((execution, args, engine) => {
    const transaction = execution.requireTransaction();
    transaction.usage.add("databaseQueries", 1);
    const table = tableOf(execution, args, engine, "get");
    if (table === undefined) return null;
    if (table.name.startsWith("_") !== (args.isSystem ?? false)) {
      throw new FunctionError(
        args.isSystem === true
          ? `db.system.get() reads system tables; "${table.name}" is not one.`
          : `System tables can only be accessed from db.system.get(); got an id of "${table.name}".`,
      );
    }
    return engine.documents.read(transaction, table, args.id) ?? null;
  }),

  "1.0/count": syscall<{ readonly table: string }>((execution, args, { catalog }) => {
    const transaction = execution.requireTransaction();
    transaction.usage.add("databaseQueries", 1);
    const table = catalog.resolve(execution.instance.componentPath, args.table);
    const range = wholeTable(table);
    const plan = { table, range, order: "asc", filters: [], limit: Infinity } as const;
    const stream = new QueryStream(transaction, plan);
    let count = 0;
    while (stream.next() !== null) count++;
    return count;
  }),
};

type NormalizeArgs = { readonly table: string; readonly idString: unknown };

export const readsAtOnce: Readonly<Record<string, SyscallAtOnce>> = {
  "1.0/db/normalizeId": (execution, argsJson) => {
    const { table, idString } = JSON.parse(argsJson) as NormalizeArgs;
    if (typeof idString !== "string") {
      throw new FunctionError(
        `\`db.normalizeId\` takes a string, got ${JSON.stringify(idString)}.`,
      );
    }
    const isIts = execution.instance.tableOf(idString) === table;
    return JSON.stringify({ id: isIts ? idString : null });
  },
};
