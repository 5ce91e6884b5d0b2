/**
 * Owns: every clamp and bound that server and browser share, with its unit and its reason.
 * Not: durations (intervals.ts).
 */

/** UTF-16 units of a stored path. Longer than any address a person reads; short enough that an index key stays small. */
export const MAX_PATH_LENGTH = 1_024;

/** UTF-16 units of a stored title: what a browser shows of it in a tab or a list is far shorter. */
export const MAX_TITLE_LENGTH = 128;

/** UTF-16 units of a page type: it is a short word of the site's own ("home", "post"). */
export const MAX_PAGE_TYPE_LENGTH = 64;

/** Characters of a session id, an event id or a watcher id. A UUID has 36; longer ones are an error, not clamped, because two ids must never become one. */
export const MAX_ID_LENGTH = 128;

/** UTF-16 units of a user agent that is kept beside a filtered hit; the longest that real browsers send are under 300. */
export const MAX_USER_AGENT_LENGTH = 512;

/** Characters of what `POST /e` reads: addresses of 8 kB, which are the longest that servers take, in each of its fields; what is too long in a field is clamped. */
export const MAX_BEACON_LENGTH = 65_536;

/** Characters of one of the many hits of a request: a server can clamp what it sends. */
export const MAX_LISTED_HIT_LENGTH = 8_192;

/** Hosts of one site: every one is read with the site's row, by each of its hits. */
export const MAX_SITE_HOSTS = 50;

/** UTF-16 units of a site's name, which heads its statistics. */
export const MAX_SITE_NAME_LENGTH = 80;

/** Hits that one `POST /v1/events` brings: each is a transaction of its own, one after the other, and a request must end in time. */
export const MAX_HITS_PER_REQUEST = 100;

/** Event ids that a visitor's row remembers: more than a browser has in flight at once. */
export const REMEMBERED_EVENT_IDS = 8;

/** UTF-16 units of the name of a custom event: a few words that a table shows in one line. */
export const MAX_EVENT_NAME_LENGTH = 64;

/** Properties of one event: what a form or an order has, and no dump of an object. */
export const MAX_EVENT_PROPERTIES = 30;

/** UTF-16 units of a property's key, as of a name. */
export const MAX_PROPERTY_KEY_LENGTH = 64;

/** UTF-16 units of a property's value: nearly every address of a link, and no text that somebody wrote. */
export const MAX_PROPERTY_VALUE_LENGTH = 300;

/** Paths that "currently viewing" lists; the rest is one number. */
export const LISTED_ACTIVE_PATHS = 100;

/** Pages that `getStats` lists; `listPages` gives the rest. */
export const LISTED_PAGES = 50;

/** Minutes of the headline's small chart. */
export const LISTED_MINUTES = 30;

/** Unsettled log rows that `getStats` adds up itself; past that it says "at least". */
export const MAX_TAIL_ROWS = 2_000;

/** Unsettled paths outside the first pages whose row `getStats` looks up: keeps it far below Convex's 4,096 ranges. */
export const MAX_TAIL_PATHS = 200;

/** Settled views that wait for paths and roll-ups at most: one batch of them. */
export const MAX_UNROLLED_VIEWS = 500;

/** The same while nobody watches. Larger batches cost a busy site less; an instant reader adds up what waits. */
export const UNWATCHED_UNROLLED_VIEWS = 150;

/** Days for which raw rows are kept unless a site says otherwise: a year back, with room to compare. */
export const DEFAULT_RETENTION_DAYS = 400;

/** Of a report's range: ten years of months and the days at their edges are some 200 documents. */
export const MAX_REPORT_DAYS = 3_700;

/** Rows that a breakdown lists at most; the rest is one sum. */
export const MAX_REPORT_ROWS = 1_000;

/** Conditions of one filter, and values of one condition: more than a person reads in one line, few enough that a row of the log is held against them in no time. */
export const MAX_FILTER_CONDITIONS = 8;
export const MAX_FILTER_VALUES = 20;

/** Of a reader's filter beside that of the segment which their link shows alone. */
export const MAX_JOINED_CONDITIONS = 2 * MAX_FILTER_CONDITIONS;

/** Filters of a site that are kept beside its segments: those of some readers at once, each with some months of days. */
export const MAX_KEPT_FILTERS = 20;

/** Segments of a site: each costs as much of the worker as the roll-ups do. */
export const MAX_SEGMENTS = 10;

/** UTF-16 units of a segment's name, as of an event. */
export const MAX_SEGMENT_NAME_LENGTH = 64;
