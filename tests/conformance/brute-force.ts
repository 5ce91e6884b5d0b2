/**
 * Owns: what every number should be, the slow and obvious way: a list of views, gone through again for each question.
 * Not: any code of the product. It shares none, so that both are wrong together only by chance.
 */
export type Seen = {
  at: number;
  /** Null of a view of nobody. */
  visitor: string | null;
  path: string;
  /** Host of the page that the view's visit came from. */
  source: string;
};

/** Whether a view meets a filter. */
export type Meets = (view: Pick<Seen, "path" | "source">) => boolean;

export type Range = { from: number; until: number };

/** A custom event. */
export type Sent = { at: number; visitor: string; name: string; isInteractive: boolean };

type Moment = { at: number; order: number };
type InTime = Seen & Moment;

/** A view in its visitor's history. */
type Placed = InTime & {
  /** 1 for the first of its visit; interactive events count on. 0 of nobody's. */
  sequence: number;
  /** The visitor's view before, of the same visit. */
  before: Seen | null;
  /** Since the view or interactive event before, of the same visit. */
  gapMs: number;
  isFirstEver: boolean;
  isFirstOfPath: boolean;
};

const IDLE_MS = 30 * 60_000;

export class BruteForce {
  readonly views: Seen[] = [];
  readonly events: Sent[] = [];

  /** Of two rows of one moment, the one that came first. */
  readonly #order = new Map<object, number>();

  add(view: Seen): void {
    this.#order.set(view, this.#order.size);
    this.views.push(view);
  }

  send(event: Sent): void {
    this.#order.set(event, this.#order.size);
    this.events.push(event);
  }

  summary(range: Range) {
    const inside = this.#placed().filter(isIn(range));
    const extending = this.#extending().filter(isIn(range));
    const first = inside.filter(({ sequence }) => sequence === 1).length;
    const second = [...inside, ...extending].filter(({ sequence }) => sequence === 2).length;
    return {
      views: inside.length,
      visits: first,
      bounces: first - second,
      durationMs: sum([...inside, ...extending].map(({ gapMs }) => gapMs)),
      events: this.events.filter(isIn(range)).length,
      visitors: visitorsOf(inside).length,
      newVisitors: inside.filter(({ isFirstEver }) => isFirstEver).length,
    };
  }

  /** Distinct visitors of a page are those who saw it in the range. */
  byPath({ from, until }: Range) {
    const inside = this.#placed().filter(({ at }) => at >= from && at < until);
    const leftFrom = inside.flatMap(({ before }) => (before === null ? [] : [before.path]));
    const paths = distinct([...inside.map(({ path }) => path), ...leftFrom]);
    const rows = paths.map((value) => {
      const there = inside.filter(({ path }) => path === value);
      return {
        value,
        views: there.length,
        visits: there.filter(({ sequence }) => sequence === 1).length,
        exits:
          there.filter(({ sequence }) => sequence > 0).length -
          leftFrom.filter((path) => path === value).length,
        visitors: visitorsOf(there).length,
        newVisitors: there.filter(({ isFirstOfPath }) => isFirstOfPath).length,
      };
    });
    return sorted(rows);
  }

  /** A visitor counts where their first view in the range came from, so that the rows add up. */
  bySource({ from, until }: Range) {
    const inside = this.#placed().filter(({ at }) => at >= from && at < until);
    const visitors = visitorsOf(inside);
    const firsts = visitors.map((who) => inside.find(({ visitor }) => visitor === who)?.source);
    const rows = distinct(inside.map(({ source }) => source)).map((value) => {
      const there = inside.filter(({ source }) => source === value);
      return {
        value,
        views: there.length,
        visits: there.filter(({ sequence }) => sequence === 1).length,
        visitors: firsts.filter((source) => source === value).length,
      };
    });
    return sorted(rows);
  }

  /**
   * The same as `summary` of the views that meet something: of their visits what a report of one page gives. Every
   * event is of the page `eventPath`; one that is in no visit meets what is asked of pages alone.
   */
  filtered(
    range: Range,
    { meets, isOfPages }: { meets: Meets; isOfPages: boolean },
    eventPath: string,
  ) {
    const inside = this.#placed().filter(isIn(range));
    const there = inside.filter(meets);
    const goingOn = inside.filter(({ before }) => before !== null && meets(before));
    const extending = this.#extending().filter(isIn(range));
    const after = extending.filter(({ last }) => meets(last));
    const ofVisits = extending.filter(({ last }) => meets({ ...last, path: eventPath }));
    const sentThere = this.events
      .filter(isIn(range))
      .filter(() => meets({ path: eventPath, source: "" }));
    const first = there.filter(({ sequence }) => sequence === 1).length;
    const second = [...goingOn, ...after].filter(({ sequence }) => sequence === 2).length;
    return {
      views: there.length,
      visits: first,
      bounces: first - second,
      durationMs: sum([...goingOn, ...after].map(({ gapMs }) => gapMs)),
      events: isOfPages ? sentThere.length : ofVisits.length,
      visitors: visitorsOf(there).length,
    };
  }

  /** Distinct senders of an event are those who sent it in the range. */
  byEvent(range: Range) {
    const inside = this.events.filter(isIn(range));
    const rows = distinct(inside.map(({ name }) => name)).map((value) => {
      const sent = inside.filter(({ name }) => name === value);
      const visitors = distinct(sent.map(({ visitor }) => visitor)).length;
      return { value, name: value, events: sent.length, visitors };
    });
    return sorted(rows).map(({ name, events, visitors }) => ({ name, events, visitors }));
  }

  /** In time order. */
  #placed(): Placed[] {
    const inTime = this.#ordered(this.views);
    const placed: Placed[] = [];
    for (const view of inTime) {
      if (view.visitor === null) {
        const alone = { sequence: 0, before: null, gapMs: 0 };
        const isNobodys = { isFirstEver: false, isFirstOfPath: false };
        placed.push({ ...view, ...alone, ...isNobodys });
        continue;
      }
      const past = placed.filter(({ visitor }) => visitor === view.visitor);
      const last = past.at(-1);
      const chain = last === undefined ? [] : this.#chainFrom(last, view);
      const lastActiveAt = chain.at(-1)?.at ?? last?.at ?? 0;
      const before = last !== undefined && view.at - lastActiveAt <= IDLE_MS ? last : null;
      placed.push({
        ...view,
        before,
        gapMs: before === null ? 0 : view.at - lastActiveAt,
        sequence: before === null ? 1 : before.sequence + chain.length + 1,
        isFirstEver: past.length === 0,
        isFirstOfPath: past.every(({ path }) => path !== view.path),
      });
    }
    return placed;
  }

  #ordered<T extends { at: number }>(rows: readonly T[]): (T & Moment)[] {
    return rows
      .map((row) => ({ ...row, order: this.#order.get(row) ?? 0 }))
      .sort((a, b) => (isAfter(a, b) ? 1 : -1));
  }

  /** The interactive events with which the visit of a view goes on before the visitor's `next`. */
  #chainFrom(view: InTime, next: InTime | null): { at: number; gapMs: number }[] {
    const chain: { at: number; gapMs: number }[] = [];
    const after = this.#ordered(this.events)
      .filter(({ visitor, isInteractive }) => visitor === view.visitor && isInteractive)
      .filter((event) => isAfter(event, view) && (next === null || isAfter(next, event)));
    for (const { at } of after) {
      const gapMs = at - (chain.at(-1)?.at ?? view.at);
      if (gapMs > IDLE_MS) break;
      chain.push({ at, gapMs });
    }
    return chain;
  }

  /** Every interactive event that is in a visit, and its place there. */
  #extending(): { at: number; gapMs: number; sequence: number; last: Seen }[] {
    const placed = this.#placed();
    return placed.flatMap((view, place) => {
      const next = placed.slice(place + 1).find(({ visitor }) => visitor === view.visitor);
      return this.#chainFrom(view, next ?? null).map((event, index) => ({
        ...event,
        sequence: view.sequence + index + 1,
        last: view,
      }));
    });
  }
}

function isAfter(one: Moment, other: Moment): boolean {
  return one.at === other.at ? one.order > other.order : one.at > other.at;
}

function isIn({ from, until }: Range) {
  return ({ at }: { at: number }) => at >= from && at < until;
}

function visitorsOf(views: readonly Seen[]): string[] {
  return distinct(views.flatMap(({ visitor }) => (visitor === null ? [] : [visitor])));
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function sorted<T extends { value: string }>(rows: T[]): T[] {
  return rows.sort((a, b) => (a.value < b.value ? -1 : 1));
}
