/**
 * Owns: every interval that server and browser share, in milliseconds, each with its reason.
 * Not: sizes and clamps (limits.ts).
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A second view of one path by one visitor within this is a duplicate. The original design's value; a site may set its own. */
export const DEDUP_WINDOW_MS = 30 * MINUTE;

/** A visitor without a sign of life for this long is no longer online. Four heartbeats: three may get lost. */
export const SESSION_TIMEOUT_MS = 2 * MINUTE;

/** A visible tab says that it is still there this often. */
export const HEARTBEAT_INTERVAL_MS = 30 * SECOND;

/** The browser holds a further heartbeat back for this long after the last, whatever asked for it. */
export const HEARTBEAT_DEBOUNCE_MS = 5 * SECOND;

/** The server ignores a repeated heartbeat on the same path within this. A change of path is never ignored. */
export const HEARTBEAT_DEDUP_MS = 10 * SECOND;

/** An open /stats says this often that somebody watches. */
export const WATCH_INTERVAL_MS = 30 * SECOND;

/** One watch beat is good for this long: two may be late before freshness drops. */
export const WATCH_TTL_MS = 75 * SECOND;

/** While somebody watches, the worker runs at most this often, and /stats re-runs at most this often. */
export const WATCHED_WORKER_DELAY_MS = 1 * SECOND;

/** While nobody watches, the worker runs this long after the first unsettled view. */
export const UNWATCHED_WORKER_DELAY_MS = 5 * MINUTE;

/** While somebody watches, paths and roll-ups, and with them panels and reports, are at most this old. */
export const WATCHED_ROLLUP_DELAY_MS = 5 * SECOND;

/** While somebody watches, engaged time is at most this old. It is known only when a page is left, so nobody sees that it comes half a minute later; and its roll-ups are large. */
export const WATCHED_ENGAGEMENT_DELAY_MS = 30 * SECOND;

/** While nobody watches, paths and roll-ups are at most this old, unless UNWATCHED_UNROLLED_VIEWS come first. */
export const UNWATCHED_ROLLUP_DELAY_MS = 5 * MINUTE;

/** Roll-ups of hours are kept for this long; before it there are days. A report by the hour over more than two months would show nothing that days do not. */
export const KEEP_HOURS_MS = 60 * 24 * 60 * MINUTE;

/** A day is sealed this long after it ended: views that began in it have been rolled up by then. */
export const SEAL_DELAY_MS = 10 * MINUTE;

/** A reader who does nothing for this long is no longer engaged: long enough for a paragraph, short enough for a walk to the door. */
export const ENGAGED_IDLE_MS = 1 * MINUTE;

/** How often a page that shows a filter says so, and how long a filter is kept up after it was last said. */
export const FILTER_ASK_INTERVAL_MS = 20_000;
export const FILTER_KEPT_UP_MS = 5 * 60_000;

/** A filter that nobody asked for in this time is forgotten; asked for again it is made again. */
export const FILTER_FORGOTTEN_AFTER_MS = 3 * 24 * 3_600_000;
