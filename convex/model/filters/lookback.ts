/**
 * Owns: when a visitor was last seen on a view that meets a filter, before a row of the log: what makes the visitors of
 * a filter as exact as those of a site.
 * Not: what is counted of it (counting.ts).
 *
 * A row knows when its visitor was seen before, but not on what. Most answers follow from that alone, or from rows that
 * were counted a moment ago; for the others the visitor's rows are read backwards up to the first that meets the filter.
 */
import { asksPathsAlone } from "../../../domain/filters/filter.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";
import type { Meeting, Met } from "./meeting.ts";

type View = Doc<"pageViews">;
type Event = Doc<"events">;
type Row = { _id: string; _creationTime: number; timestamp: number };

/** Rows of one visitor that are read for one answer. Who viewed so much in between counts once more; a person does not. */
const MAX_READ_BACK = 1_000;

export class Lookback {
  readonly #ctx: QueryCtx;
  readonly #site: string;
  readonly #meeting: Meeting;
  readonly #isOfPaths: boolean;
  /** When each visitor, path or event was last in, of the rows that were noted. */
  readonly #noted = new Map<string, number>();
  #rowsRead = 0;

  constructor(ctx: QueryCtx, site: string, filter: Filter, meeting: Meeting) {
    this.#ctx = ctx;
    this.#site = site;
    this.#meeting = meeting;
    this.#isOfPaths = asksPathsAlone(filter);
  }

  /** Rows that were read for answers so far. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** A view that is in; `wasIn`: so is its visit's view before it. Those that are noted come in time order. */
  async ofVisitor(row: View, { wasIn }: Pick<Met, "wasIn">): Promise<number | null> {
    const { sessionId, visitorLastSeenAt } = row;
    const known = this.#note(sessionId, row.timestamp);
    if (known !== undefined) return known;
    if (visitorLastSeenAt === undefined || wasIn) return visitorLastSeenAt ?? null;
    const before = this.#ctx.db
      .query("pageViews")
      .withIndex("by_session_time", (q) =>
        q.eq("site", this.#site).eq("sessionId", sessionId).lte("timestamp", row.timestamp),
      )
      .order("desc");
    return await this.#firstOf(before, row, (view) => this.#meeting.ofView(view).isIn);
  }

  /** The same of the row's path alone. */
  async ofPath(row: View): Promise<number | null> {
    const { sessionId, path, pathLastSeenAt } = row;
    const known = this.#note(`${sessionId} ${path}`, row.timestamp);
    if (known !== undefined) return known;
    if (pathLastSeenAt === undefined) return null;
    if (this.#isOfPaths) return pathLastSeenAt;
    const before = this.#ctx.db
      .query("pageViews")
      .withIndex("by_session_path", (q) =>
        q
          .eq("sessionId", sessionId)
          .eq("path", path)
          .eq("site", this.#site)
          .lte("timestamp", row.timestamp),
      )
      .order("desc");
    return await this.#firstOf(before, row, (view) => this.#meeting.ofView(view).isIn);
  }

  /** An event that is in: when this visitor's event of its name that was in before it was. */
  async ofName(row: Event): Promise<number | null> {
    const { sessionId, name, nameLastSeenAt } = row;
    const known = this.#note(`${sessionId}\n${name}`, row.timestamp);
    if (known !== undefined) return known;
    if (nameLastSeenAt === undefined) return null;
    const before = this.#ctx.db
      .query("events")
      .withIndex("by_session_name", (q) =>
        q
          .eq("site", this.#site)
          .eq("sessionId", sessionId)
          .eq("name", name)
          .lte("timestamp", row.timestamp),
      )
      .order("desc");
    return await this.#firstOf(before, row, (event) => this.#meeting.ofEvent(event).isIn);
  }

  /** What was noted before, where that was not later. */
  #note(key: string, at: number): number | undefined {
    const known = this.#noted.get(key);
    if (known !== undefined && known > at) return undefined;
    this.#noted.set(key, at);
    return known;
  }

  async #firstOf<R extends Row>(
    rows: AsyncIterable<R>,
    { _id, _creationTime, timestamp }: Row,
    isIn: (row: R) => boolean,
  ): Promise<number | null> {
    let read = 0;
    for await (const row of rows) {
      this.#rowsRead += 1;
      if ((read += 1) > MAX_READ_BACK) return null;
      const isBefore =
        row.timestamp < timestamp || (row._id !== _id && row._creationTime < _creationTime);
      if (isBefore && isIn(row)) return row.timestamp;
    }
    return null;
  }
}
