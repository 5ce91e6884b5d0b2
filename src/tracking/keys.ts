/** Owns: under which keys a browser keeps what is Footfall's. Not: what stands there. */

export const SESSION_ID_KEY = "footfall_session_id";

/** The original design's key: a browser that has it stays the same visitor. */
export const ORIGINAL_SESSION_ID_KEY = "markdown_blog_session_id";

/** While this key holds anything, nothing is sent from this browser. */
export const OPT_OUT_KEY = "footfall_opt_out";

/** Everything that the tabs keep lies under keys that begin like this. */
export const TAB_KEYS = "footfall_tab";

/** Hits that wait for the network. */
export const HITS_KEY = "footfall_hits";
