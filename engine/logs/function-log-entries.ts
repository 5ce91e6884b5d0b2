/**
 * Owns: the form in which `npx convex logs` and the dashboard get one call.
 * Not: keeping calls (function-log.ts), colouring them (the CLI does).
 */
import type { FunctionLog } from "../application.ts";
import { readablePath } from "../function-path.ts";

const UDF_TYPES = {
  query: "Query",
  mutation: "Mutation",
  action: "Action",
  httpAction: "HttpAction",
} as const;

/** Usage that this engine does not have or does not meter (search, vectors, files). */
const UNMETERED = {
  databaseWriteIndexRows: 0,
  storageReadBytes: 0,
  storageWriteBytes: 0,
  vectorIndexReadBytes: 0,
  vectorIndexWriteBytes: 0,
  textIndexQueryBytes: 0,
  textIndexWriteQueryBytes: 0,
  vectorIndexReadQueryBytes: 0,
  vectorIndexWriteQueryBytes: 0,
  networkEgressBytes: 0,
  memoryUsedMb: 0,
} as const;

/** FunctionExecutionJson of the CLI (convex/src/cli/lib/generatedFunctionLogsApi.ts); times in seconds there, ms here. */
export function completionEntry(log: FunctionLog): object {
  const { footprint } = log;
  return {
    kind: "Completion",
    udfType: UDF_TYPES[log.kind],
    componentPath: log.target.componentPath === "" ? null : log.target.componentPath,
    identifier: readablePath(log.target.path),
    logLines: log.logLines.map((line) => ({
      messages: line.messages,
      isTruncated: line.isTruncated,
      timestamp: line.at,
      level: line.level,
    })),
    timestamp: log.at / 1000,
    executionTimestamp: log.at / 1000,
    executionTime: log.durationMs / 1000,
    userExecutionTime: log.durationMs / 1000,
    cachedResult: log.cached,
    success: log.error === null ? {} : null,
    error: log.error,
    requestId: log.requestId,
    executionId: log.requestId,
    parentExecutionId: null,
    caller: "SyncWorker",
    identityType: "unknown",
    environment: "isolate",
    occInfo: null,
    willRetry: false,
    returnBytes: null,
    usageStats: {
      databaseReadBytes: footprint.bytesRead,
      databaseWriteBytes: footprint.bytesWritten,
      databaseIoReadBytes: footprint.bytesRead,
      databaseIoWriteBytes: footprint.bytesWritten,
      databaseReadDocuments: footprint.documentsRead,
      databaseWriteDocuments: footprint.documentsWritten,
      ...UNMETERED,
    },
  };
}
