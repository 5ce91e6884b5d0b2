/** Owns: what becomes of hits that come over HTTP: each has one outcome, and bad ones leave nothing. Not: what counts as a view (counting.ts). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { runs } from "../long.helpers.ts";
import { MAX_BEACON_LENGTH } from "../../domain/limits.ts";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const VIEW = { kind: "view", sessionId: "s1", path: "/a", eventId: "e1" };
const TABLES_OF_A_HIT = [
  ...["pageViews", "visitors", "activeSessions", "presenceLog", "filteredHits", "wake"],
];

export function received(create: CreateRuntime): void {
  describe("POST /e", () => {
    test("each hit is answered with its one outcome, which a page of another origin may read", () =>
      tell(create, async (site) => {
        const first = await send(site, VIEW);
        expect(first.status).toBe(204);
        expect(first.headers.get("Access-Control-Expose-Headers")).toBe("X-Footfall");
        expect(outcomeOf(first)).toBe("counted");
        expect(outcomeOf(await send(site, VIEW))).toBe("duplicate");
        const bot = { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" };
        expect(outcomeOf(await send(site, { ...VIEW, eventId: "e2" }, bot))).toBe("filtered; bot");
      }));

    test("a beat keeps a session online, moves it at once, and repeated within the window is a duplicate", () =>
      tell(create, async (site) => {
        await send(site, VIEW);
        const beat = { kind: "beat", sessionId: "s1", path: "/a" };
        expect(outcomeOf(await send(site, beat))).toBe("duplicate");
        await site.runtime.advance(HEARTBEAT_INTERVAL_MS);
        expect(outcomeOf(await send(site, beat))).toBe("counted");
        expect(outcomeOf(await send(site, { ...beat, path: "/b/" }))).toBe("counted");
        const { activeByPath, totalPageViews } = await site.stats();
        expect(activeByPath).toEqual([{ path: "/b", count: 1 }]);
        expect(totalPageViews).toBe(1);
      }));

    test("a leave counts when it takes somebody offline, and never twice", () =>
      tell(create, async (site) => {
        await send(site, VIEW);
        const leave = { kind: "leave", sessionId: "s1", path: "/a", eventId: "e1" };
        expect(outcomeOf(await send(site, { ...leave, eventId: "e0" }))).toBe("duplicate");
        expect(outcomeOf(await send(site, leave))).toBe("counted");
        expect(outcomeOf(await send(site, leave))).toBe("duplicate");
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("C16: an event that is resent, and sent by two tabs at once, counts once", () =>
      tell(create, async (site) => {
        const answers = await Promise.all([send(site, VIEW), send(site, VIEW)]);
        for (let times = 0; times < 3; times += 1) answers.push(await send(site, VIEW));
        const outcomes = answers.map(outcomeOf).sort();
        expect(outcomes).toEqual(["counted", ...Array<string>(4).fill("duplicate")]);
        expect((await site.stats()).totalPageViews).toBe(1);
      }));

    test("C18: what a client's clock says stamps nothing", () =>
      tell(create, async (site) => {
        const before = site.runtime.now();
        const clock = { timestamp: 0, at: before + 7_200_000, time: "1970-01-01" };
        expect(outcomeOf(await send(site, { ...VIEW, ...clock }))).toBe("counted");
        const [row] = await site.runtime.rows("pageViews");
        expect(row?.timestamp).toBeGreaterThanOrEqual(before);
        expect(row?.timestamp).toBeLessThan(before + 1_000);
        expect((await site.stats()).viewsToday).toBe(1);
      }));

    test("C21: an address that the visitor writes into a header changes nothing and is kept nowhere", () =>
      tell(create, async (site) => {
        const forged = "203.0.113.9, 198.51.100.7";
        await send(site, VIEW, { "X-Forwarded-For": forged });
        await send(site, { ...VIEW, eventId: "e2", sessionId: "s2" });
        expect((await site.stats()).uniqueVisitors).toBe(2);
        for (const table of TABLES_OF_A_HIT) {
          const rows = await site.runtime.rows(table);
          expect(textOf(rows)).not.toMatch(/203\.0\.113|198\.51\.100/);
        }
      }));

    test("C23: a long query and a long referrer are clamped, not refused", () =>
      tell(create, async (site) => {
        const long = {
          path: "/p",
          query: `?${"q".repeat(1_400)}`,
          referrer: `https://news.example/${"r".repeat(900)}`,
        };
        expect(outcomeOf(await send(site, { ...VIEW, ...long }))).toBe("counted");
        expect((await site.stats()).pageStats).toMatchObject([{ path: "/p", views: 1 }]);
        const longer = {
          ...long,
          query: `?utm_source=x&${"q".repeat(20_000)}`,
          title: "t".repeat(9_000),
        };
        const next = { ...VIEW, ...longer, sessionId: "s2", eventId: "e2" };
        expect(outcomeOf(await send(site, next))).toBe("counted");
        expect(textOf(await site.runtime.rows("pageViews")).length).toBeLessThan(2_000);
      }));

    test("C24: /a and /a/ are one path, and / stays", () =>
      tell(create, async (site) => {
        const paths = ["/a", "/a/", "/"];
        for (const [place, path] of paths.entries()) {
          await send(site, { ...VIEW, path, eventId: `e${place}`, sessionId: `s${place}` });
        }
        const { pageStats } = await site.stats();
        expect(pageStats.map(({ path, views }) => [path, views])).toEqual([
          ["/a", 2],
          ["/", 1],
        ]);
      }));

    test("a body that is not understood is one sentence, and leaves nothing", () =>
      tell(create, async (site) => {
        const bad = [
          ...["", "view", "[]", "null", '"view"', "{", '{"kind":"click"}', '{"kind":["view"]}'],
          ...[JSON.stringify({ ...VIEW, path: 1 }), JSON.stringify({ ...VIEW, sessionId: "" })],
          ...[JSON.stringify({ ...VIEW, title: {} }), JSON.stringify({ ...VIEW, eventId: "é" })],
          ...[JSON.stringify({ ...VIEW, site: "none" }), JSON.stringify({ kind: "beat" })],
          JSON.stringify({ ...VIEW, title: "t".repeat(MAX_BEACON_LENGTH) }),
        ];
        for (const body of bad) {
          const answer = await site.runtime.fetch("/e", { method: "POST", body });
          expect(answer.status, body).toBe(400);
          expect(answer.headers.get("X-Footfall")).toBeNull();
          expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
          expect((await answer.text()).trim()).toMatch(/^[^\n]{10,300}\.$/);
        }
        for (const table of TABLES_OF_A_HIT) expect(await site.runtime.rows(table)).toEqual([]);
      }));
  });

  test("whatever is sent to /e or /v1/events is counted or refused in one sentence, never half stored, and never an error of ours", () =>
    tell(create, async (site) => {
      let counted = 0;
      const sends = fc.asyncProperty(anyRequest, async ({ path, init }) => {
        const answer = await site.runtime.fetch(path, init);
        const outcome = outcomeOf(answer);
        expect([200, 204, 400, 401]).toContain(answer.status);
        if (outcome === null) expect((await answer.text()).trim()).toMatch(/^[^\n]+$/);
        else expect(outcome).toMatch(/^(counted|duplicate|filtered; [a-z ]+)$/);
        expect(outcome === null).toBe(answer.status >= 400);
        const isView = !/"kind":"(beat|leave|engagement)"|kind=(beat|leave|engagement)/.test(
          `${path} ${String(init.body ?? "")}`,
        );
        if (outcome === "counted" && isView) counted += 1;
      });
      await fc.assert(sends, { numRuns: runs(60, 3_000) });
      for (const table of ["pageViews", "visitors"]) {
        const rows = await site.runtime.rows(table);
        if (table === "pageViews") expect(rows).toHaveLength(counted);
        else expect(rows.length).toBeLessThanOrEqual(counted);
      }
    }));

  describe("GET /e", () => {
    test("counts by the same rules, and answers with a pixel that no cache keeps", () =>
      tell(create, async (site) => {
        const query = "v=0.1234&sessionId=s1&path=%2Fa%2F&eventId=e1&screenWidth=800&title=";
        const first = await site.runtime.fetch(`/e?${query}`, { method: "GET" });
        expect(first.status).toBe(200);
        expect(first.headers.get("Content-Type")).toBe("image/gif");
        expect(first.headers.get("Cache-Control")).toContain("no-store");
        expect(new TextDecoder().decode(await first.arrayBuffer())).toMatch(/^GIF89a/);
        expect(outcomeOf(first)).toBe("counted");
        const again = await site.runtime.fetch(`/e?${query}9`, { method: "GET" });
        expect(outcomeOf(again)).toBe("duplicate");
        expect((await site.stats()).pageStats).toMatchObject([{ path: "/a", views: 1 }]);
      }));

    test("an address that is not understood is one sentence, and leaves nothing", () =>
      tell(create, async (site) => {
        const bad = [
          ...["", "?v=1&path=/a", "?v=1&sessionId=s1", "?sessionId=s1&path=/&kind=click"],
          ...[
            "?sessionId=s1&path=/&screenWidth=wide",
            `?sessionId=s1&path=/${"p".repeat(MAX_BEACON_LENGTH)}`,
          ],
        ];
        for (const search of bad) {
          const answer = await site.runtime.fetch(`/e${search}`, { method: "GET" });
          expect(answer.status).toBe(400);
          expect((await answer.text()).trim()).toMatch(/^[^\n]{10,300}\.$/);
        }
        expect(await site.runtime.rows("pageViews")).toEqual([]);
      }));
  });
}

/** Often nearly right: that is where faults are. */
const anyText = fc.oneof(
  fc.constantFrom("s1", "s2", "/a", "/b/", "view", "beat", "leave", "default", "", "é", "\ud800"),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ minLength: 1_100, maxLength: 1_400 }),
  fc.constantFrom("x".repeat(30_000), "é".repeat(9_000), "[".repeat(20_000)),
);
const anyNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(1e308, -1e308, 2 ** 53 + 2, -0, 5e-324, -1, 1e21),
);
/** As fields cannot say it: numbers that are none once they are read, and names that objects know already. */
const anyOddText = fc.constantFrom(
  '{"kind":"view","sessionId":"s1","path":"/a","screenWidth":1e999}',
  '{"kind":"view","sessionId":"s1","path":"/a","path":"/b","kind":"beat"}',
  '{"__proto__":{"kind":"view"},"sessionId":"s1","path":"/a"}',
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  '\ufeff{"kind":"view","sessionId":"s1","path":"/a"}',
);
const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes));
const anyValue = fc.oneof(
  { weight: 5, arbitrary: anyText },
  { weight: 2, arbitrary: anyNumber },
  fc.jsonValue({ maxDepth: 1 }),
);
const rightFields = fc.record({
  kind: fc.constantFrom("view", "view", "beat", "leave", "engagement"),
  sessionId: fc.constantFrom("s1", "s2", "s3"),
  path: fc.webPath(),
});
const otherFields = fc.dictionary(
  fc.constantFrom(
    ...["kind", "sessionId", "path", "pageType", "title", "eventId", "site", "referrer", "query"],
    ...["host", "language", "timeZone", "screenWidth", "timestamp", "__proto__", "constructor"],
    ...["viewId", "engagedMs", "scrollPercent", "vitals", "lcpMs"],
  ),
  anyValue,
  { maxKeys: 4 },
);
const anyFields = fc
  .tuple(rightFields, otherFields)
  .map(([right, other]): Record<string, unknown> => ({ ...right, ...other }));

type Sent = {
  path: string;
  init: {
    method: string;
    body?: string | Uint8Array<ArrayBuffer>;
    headers?: Record<string, string>;
  };
};

const anyRequest: fc.Arbitrary<Sent> = fc.oneof(
  fc
    .oneof(
      { weight: 4, arbitrary: anyFields.map((fields) => JSON.stringify(fields)) },
      ...[anyText, anyOddText, anyBytes],
    )
    .map((body) => ({ path: "/e", init: { method: "POST", body } })),
  anyFields.map((fields) => ({ path: `/e?${queryOf(fields)}`, init: { method: "GET" } })),
  fc.tuple(anyFields, anyText).map(([fields, key]) => ({
    path: "/v1/events",
    init: {
      method: "POST",
      body: JSON.stringify([fields]),
      headers: { Authorization: `Bearer ${encodeURIComponent(key.toWellFormed())}` },
    },
  })),
);

function queryOf(fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return new URLSearchParams(pairs).toString();
}

/** As a browser sends it from a page of another origin. */
function send(site: Site, fields: object, headers: Record<string, string> = {}): Promise<Response> {
  return site.runtime.fetch("/e", {
    method: "POST",
    body: JSON.stringify(fields),
    headers: { "Content-Type": "text/plain", ...headers },
  });
}

function outcomeOf(answer: Response): string | null {
  return answer.headers.get("X-Footfall");
}

function textOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}
