/** The engine as a library: starting one. Everything else of it is reached over the protocols that it speaks. */
export { DataFolderError, StorageError } from "./errors.ts";
export { silentLog, type EngineLog } from "./logs/engine-log.ts";
export { parseOptions as parseEngineOptions, type EngineOptions } from "./server/engine-options.ts";
export { startEngine, type RunningEngine } from "./server/start.ts";
export { StartError } from "./server/start-error.ts";
