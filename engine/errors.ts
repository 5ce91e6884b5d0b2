/**
 * Owns: the kinds of failure that cross the engine's rooms, each with a code that a caller can switch on.
 * Not: the wording of a user function's own errors, and bugs of ours: those are plain assertions.
 */

/** A call failed and its caller may read why. `dataJson` is the JSON text of a ConvexError's data. */
export class FunctionError extends Error {
  readonly code = "function-failed";
  readonly dataJson: string | null;

  constructor(message: string, options: { dataJson?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "FunctionError";
    this.dataJson = options.dataJson ?? null;
  }
}

/**
 * `corrupt`: the file is no sound database. `not-durable`: a write did not reach the disk and was undone. `unsynced`:
 * the disk failed to say whether a write is on it. `closed`: used after close.
 */
export type StorageErrorCode = "corrupt" | "not-durable" | "unsynced" | "unreadable" | "closed";

export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StorageError";
    this.code = code;
  }
}

/** `not-loadable`: the pushed code throws or lacks something. `schema`: existing rows violate the new schema. */
export type DeployErrorCode = "not-loadable" | "schema" | "unsupported";

export class DeployError extends Error {
  readonly code: DeployErrorCode;

  constructor(code: DeployErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "DeployError";
    this.code = code;
  }
}

/** `held`: another process uses the folder. `unwritable`: it cannot be created or written. */
export type DataFolderErrorCode = "held" | "unwritable";

export class DataFolderError extends Error {
  readonly code: DataFolderErrorCode;

  constructor(code: DataFolderErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "DataFolderError";
    this.code = code;
  }
}
