/** Owns: recognising that one page was counted by two trackers that do not know of one another. Not: the list of arrivals (convex/now.ts). */

/** As api.now.movements tells it. */
export type Arrival = {
  readonly kind: "came" | "moved" | "went";
  readonly at: number;
  readonly path: string;
  readonly sessions?: number;
  readonly source?: string;
  readonly country?: string;
  readonly device?: string;
};

/** Two trackers of one page send as it loads; two people seldom come to one page, from one place, so close together. */
const TOGETHER_MS = 1_500;

export type Mounting =
  | { readonly kind: "waiting" }
  | { readonly kind: "once"; readonly path: string }
  | { readonly kind: "twice"; readonly path: string };

/** By the newest arrival since `since`, epoch ms of the server's clock. */
export function mountingOf(arrivals: readonly Arrival[], since: number): Mounting {
  const came = arrivals.filter(({ kind, at }) => kind === "came" && at >= since);
  const newest = came.reduce<Arrival | undefined>(
    (best, one) => (best === undefined || one.at > best.at ? one : best),
    undefined,
  );
  if (newest === undefined) return { kind: "waiting" };
  const alike = came.filter(
    (one) => isAlike(one, newest) && Math.abs(one.at - newest.at) <= TOGETHER_MS,
  );
  const sessions = alike.reduce((sum, one) => sum + (one.sessions ?? 1), 0);
  return { kind: sessions > 1 ? "twice" : "once", path: newest.path };
}

function isAlike(one: Arrival, other: Arrival): boolean {
  return (
    one.path === other.path &&
    one.source === other.source &&
    one.country === other.country &&
    one.device === other.device
  );
}
