/**
 * Owns: every bound of the engine, with its unit and its reason.
 * Not: the bounds of Footfall itself (domain/).
 *
 * The transaction limits are Convex's own numbers, so that an app which fits here also fits there:
 * https://docs.convex.dev/production/state/limits, and the defaults of convex-test.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** Documents that one transaction may scan; each counts, also when it is filtered away. */
export const MAX_DOCUMENTS_READ = 32_000;
export const MAX_READ_BYTES = 16 * MIB;
/** Index ranges, `db.get`s included. Convex keeps each in memory to find conflicts. */
export const MAX_DATABASE_QUERIES = 4_096;
export const MAX_DOCUMENTS_WRITTEN = 16_000;
export const MAX_WRITE_BYTES = 16 * MIB;
export const MAX_FUNCTIONS_SCHEDULED = 1_000;
/** Of all functions that one transaction schedules together. */
export const MAX_SCHEDULED_ARGS_BYTES = 16 * MIB;
export const MAX_FILES_WRITTEN = 10;
export const MAX_FILE_WRITE_BYTES = 16 * MIB;
export const MAX_FILES_READ = 10;
export const MAX_FILE_READ_BYTES = 16 * MIB;

/** Of one call, and of what one call returns. */
export const MAX_ARGS_BYTES = 16 * MIB;
export const MAX_RESULT_BYTES = 16 * MIB;

/** Time that a query or a mutation may spend in user code. */
export const MAX_TRANSACTION_MS = 1_000;
export const MAX_ACTION_MS = 10 * 60_000;

export const MAX_DOCUMENT_BYTES = 1 * MIB;
/** A primitive has depth 0, `[1]` and `{a: 1}` have depth 1. */
export const MAX_VALUE_DEPTH = 64;
/** Levels of JSON that a stranger sends: a value's depth with its encoding and the message around it. The real backend's JSON reader stops here too. */
export const MAX_JSON_DEPTH = 128;
export const MAX_ARRAY_LENGTH = 8_192;
export const MAX_OBJECT_FIELDS = 1_024;
/** UTF-16 units; field names are ASCII, so these are bytes. */
export const MAX_FIELD_NAME_LENGTH = 1_024;

/** Lines of one call; Convex drops what comes after. */
export const MAX_LOG_LINES = 256;
/** Of one log line; Convex cuts it there and marks it. */
export const MAX_LOG_LINE_BYTES = 32 * KIB;

/** Scheduled mutations that run at once. Convex's number; here they queue for the one transaction anyway. */
export const MAX_CONCURRENT_JOBS = 10;
/** Scheduled actions that run at once. More than mutations: they mostly wait for a network, and must not hold up mutations. */
export const MAX_CONCURRENT_ACTIONS = 64;

/** The longest delay that Node's timers take; a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Values that the SQLite store keeps in memory: enough for the hot rows of a busy site, small beside Node itself. */
export const STORAGE_CACHE_BYTES = 16 * MIB;
/** SQLite's own cache of pages, per open store. Its default of 2 MiB makes each point read go to the file; with a million views half of this does for many. */
export const STORAGE_PAGE_CACHE_BYTES = 64 * MIB;
/** Of a connection that reads everything once, from beginning to end: little is read twice. */
export const STORAGE_SNAPSHOT_CACHE_BYTES = 4 * MIB;
/** Pairs of a range that are fetched at a time: a statement's start costs what about twenty further pairs cost, and most ranges are short. */
export const FIRST_RANGE_PAGE_PAIRS = 16;
/** Later pages double up to this, so that a long scan pays for few statements and holds little in memory. */
export const MAX_RANGE_PAGE_PAIRS = 256;
/**
 * Pages of 4 KiB in the write-ahead log before they are copied into the database, by a thread of their own. A page that
 * was changed often in between is copied once, so SQLite's default of 1,000 costs a busy site a third of its writing;
 * much more would make the log a noticeable part of the disk that a site takes.
 */
export const CHECKPOINT_AFTER_PAGES = 8_000;
/** Where that thread does not keep up, SQLite copies them itself within a commit, which is slow for a moment. */
export const CHECKPOINT_IN_COMMIT_AFTER_PAGES = 4 * CHECKPOINT_AFTER_PAGES;
/** The write-ahead log is cut back to this after a checkpoint; without it one large import would keep its size for ever. */
export const MAX_LOG_FILE_BYTES = 64 * MIB;
/** A database up to this size is checked at every start (under a second at this size); a larger one only after a crash. */
export const MAX_ALWAYS_CHECKED_BYTES = 512 * MIB;

/** Of one stored file. Convex knows no such bound; here all files lie in the one database, which is to stay one that can be copied. */
export const MAX_FILE_BYTES = 1024 * MIB;
/** A file is stored, read and removed in pieces of this size, about a millisecond each. */
export const FILE_PIECE_BYTES = 256 * KIB;
/** Of a file that an action or a mutation reads as a Blob: what Convex gives an action in memory. */
export const MAX_BLOB_BYTES = 64 * MIB;
/** How long an upload may begin after its URL was made; as on Convex. */
export const UPLOAD_URL_VALID_MS = 60 * 60_000;
