/**
 * Owns: adding rows of the log to the hours of a filter.
 * Not: which rows those are (scanning.ts, catchingUp.ts).
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { takesWholeVisits } from "../../../domain/filters/filter.ts";
import { addMatchedEvents } from "../../../domain/rollups/event.ts";
import type { MatchedEvent } from "../../../domain/rollups/event.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { addMatchedViews } from "../../../domain/rollups/view.ts";
import type { MatchedView } from "../../../domain/rollups/view.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { loggedEventOf } from "../events/logged.ts";
import { loggedViewOf } from "../rollups/logged.ts";
import { changeHour } from "../rollups/store.ts";
import { Lookback } from "./lookback.ts";
import { Meeting } from "./meeting.ts";
import { ownerOf } from "./owner.ts";
import type { FilterRow } from "./store.ts";

/** Counts rows of one filter, in the order in which they are given. */
export class Counting {
  readonly #ctx: MutationCtx;
  readonly #owner: string;
  readonly #calendar: Calendar;
  readonly #hasWholeVisits: boolean;
  readonly #meeting: Meeting;
  readonly #lookback: Lookback;

  constructor(ctx: MutationCtx, { _id, site, filter }: FilterRow, calendar: Calendar) {
    this.#ctx = ctx;
    this.#owner = ownerOf(site, _id);
    this.#calendar = calendar;
    this.#hasWholeVisits = takesWholeVisits(filter);
    this.#meeting = new Meeting(filter);
    this.#lookback = new Lookback(ctx, site, filter, this.#meeting);
  }

  /** Rows that were read besides those that were given. */
  get rowsRead(): number {
    return this.#lookback.rowsRead;
  }

  async addViews(rows: readonly Doc<"pageViews">[]): Promise<void> {
    const hours = new Map<number, MatchedView[]>();
    for (const row of rows) {
      const { isIn, wasIn } = this.#meeting.ofView(row);
      if (!isIn && !wasIn) continue;
      const before = {
        visitorBeforeAt: isIn ? await this.#lookback.ofVisitor(row, { wasIn }) : null,
        pathBeforeAt: isIn ? await this.#lookback.ofPath(row) : null,
      };
      this.#push(hours, row.timestamp, { view: loggedViewOf(row), isIn, wasIn, ...before });
    }
    const how = { calendar: this.#calendar, hasWholeVisits: this.#hasWholeVisits };
    await this.#change(hours, (rollup, views) => addMatchedViews(rollup, views, how));
  }

  async addEvents(rows: readonly Doc<"events">[]): Promise<void> {
    const hours = new Map<number, MatchedEvent[]>();
    for (const row of rows) {
      const { isIn, wasIn } = this.#meeting.ofEvent(row);
      if (!isIn && !wasIn) continue;
      const nameBeforeAt = isIn ? await this.#lookback.ofName(row) : null;
      this.#push(hours, row.timestamp, { event: loggedEventOf(row), isIn, wasIn, nameBeforeAt });
    }
    await this.#change(hours, (rollup, events) => addMatchedEvents(rollup, events, this.#calendar));
  }

  #push<T>(hours: Map<number, T[]>, at: number, item: T): void {
    const startsAt = this.#calendar.startOf("hour", at);
    const inHour = hours.get(startsAt);
    if (inHour === undefined) hours.set(startsAt, [item]);
    else inHour.push(item);
  }

  async #change<T>(
    hours: ReadonlyMap<number, T[]>,
    add: (rollup: Rollup, items: T[]) => Rollup,
  ): Promise<void> {
    for (const [startsAt, items] of hours) {
      await changeHour(this.#ctx, this.#owner, startsAt, (read) =>
        add(read() ?? emptyRollup("hour", startsAt), items),
      );
    }
  }
}
