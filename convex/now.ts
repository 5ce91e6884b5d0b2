/**
 * Owns: the doors to what happens on a site now, besides how many are there: each a subscription for a page that watches.
 * Not: what is asked and answered (questions.ts), the headline (stats.ts), or the rules (model/online.ts, model/movements.ts).
 */
import * as questions from "./questions.ts";
import { readerQuery } from "./readers.ts";

/**
 * How many were online at most in each five minutes of a local day (today when none is named), and of the same weekday
 * a week before. Null where the site tells nobody apart. Throws `unknown_site` or `invalid_range`.
 */
export const onlineByTime = readerQuery(questions.onlineByTime);

/** Who came, moved on and went last, the newest first, at most 20. Noted while somebody watches; null where the site tells nobody apart. Throws `unknown_site`. */
export const movements = readerQuery(questions.movements);
