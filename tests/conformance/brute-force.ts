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

export type Range = { from: number; until: number };

/** A view in its visitor's history. */
type Placed = Seen & {
  /** 1 for the first of its visit; 0 of nobody's. */
  sequence: number;
  /** The visitor's view before, of the same visit. */
  before: Seen | null;
  isFirstEver: boolean;
  isFirstOfPath: boolean;
};

const IDLE_MS = 30 * 60_000;

export class BruteForce {
  readonly views: Seen[] = [];

  add(view: Seen): void {
    this.views.push(view);
  }

  summary({ from, until }: Range) {
    const inside = this.#placed().filter(({ at }) => at >= from && at < until);
    const first = inside.filter(({ sequence }) => sequence === 1).length;
    const second = inside.filter(({ sequence }) => sequence === 2).length;
    return {
      views: inside.length,
      visits: first,
      bounces: first - second,
      durationMs: sum(inside.map(({ at, before }) => (before === null ? 0 : at - before.at))),
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

  /** In time order. */
  #placed(): Placed[] {
    const inTime = [...this.views].sort((a, b) => a.at - b.at);
    const placed: Placed[] = [];
    for (const view of inTime) {
      if (view.visitor === null) {
        const alone = { sequence: 0, before: null, isFirstEver: false, isFirstOfPath: false };
        placed.push({ ...view, ...alone });
        continue;
      }
      const past = placed.filter(({ visitor }) => visitor === view.visitor);
      const last = past.at(-1);
      const before = last !== undefined && view.at - last.at <= IDLE_MS ? last : null;
      placed.push({
        ...view,
        before,
        sequence: before === null ? 1 : before.sequence + 1,
        isFirstEver: past.length === 0,
        isFirstOfPath: past.every(({ path }) => path !== view.path),
      });
    }
    return placed;
  }
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
