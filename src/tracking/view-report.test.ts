import fc from "fast-check";
import { expect, test } from "vitest";
import { createViewReport, type Engagement } from "./view-report.ts";

function createPage(hasOptedOut: () => boolean = () => false) {
  const sent: Engagement[] = [];
  const report = createViewReport((said) => hasOptedOut() || void sent.push(said));
  return { report, sent };
}

test("a report says how far down the page has been seen, of the height that it has now, and never less than before", () => {
  const { report, sent } = createPage();
  report.begin("v1", "/a");
  report.seen(900, 1_000);
  report.seen(400, 2_000);
  report.say(10, {});
  expect(sent).toEqual([{ path: "/a", viewId: "v1", engagedMs: 10, scrollPercent: 45 }]);
  report.seen(1_000, 10_000);
  report.say(20, {});
  expect(sent[1]).toMatchObject({ engagedMs: 20, scrollPercent: 45 });
  report.seen(10_050, 10_000);
  report.say(20, {});
  expect(sent[2]).toMatchObject({ scrollPercent: 100 });
});

test("what has not changed is not said again; what a part adds is a change", () => {
  const { report, sent } = createPage();
  report.begin("v1", "/a");
  for (let times = 0; times < 3; times += 1) report.say(10, {});
  expect(sent).toHaveLength(1);
  report.say(10, { human: "1-5s" });
  report.say(10, { human: "1-5s" });
  expect(sent.map(({ human }) => human)).toEqual([undefined, "1-5s"]);
});

test("before the first view, and after one that is over, nothing is said", () => {
  const { report, sent } = createPage();
  report.say(10, {});
  report.begin("v1", "/a");
  report.begin(undefined, "/a");
  report.say(10, {});
  expect(sent).toEqual([]);
});

test("who opts out is not reported, and after opting in again not before the next view", () => {
  let isOut = true;
  const { report, sent } = createPage(() => isOut);
  report.begin("v1", "/a");
  report.say(10, {});
  isOut = false;
  report.say(20, {});
  expect(sent).toEqual([]);
  report.begin("v2", "/b");
  report.say(1, {});
  expect(sent).toMatchObject([{ viewId: "v2", engagedMs: 1 }]);
});

const anyStep = fc.oneof(
  fc.record({ do: fc.constant("begin" as const) }),
  fc.record({ do: fc.constant("seen" as const), bottom: fc.nat(9_000), height: fc.nat(9_000) }),
  fc.record({ do: fc.constant("say" as const), moreMs: fc.nat(2) }),
);

test("any history: per view each report says more than the one before it, and no figure of it less", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (history) => {
      const { report, sent } = createPage();
      let [views, engagedMs, said] = [0, 0, 0];
      for (const step of history) {
        if (step.do === "begin") report.begin(`v${(views += 1)}`, "/a");
        if (step.do === "seen") report.seen(step.bottom, step.height);
        if (step.do === "say") report.say((engagedMs += step.moreMs), {});
        if (step.do === "say") said += 1;
      }
      expect(sent.length).toBeLessThanOrEqual(said);
      sent.forEach((next, at) => {
        expect(next.scrollPercent).toBeGreaterThanOrEqual(0);
        expect(next.scrollPercent).toBeLessThanOrEqual(100);
        const before = sent.slice(0, at).findLast(({ viewId }) => viewId === next.viewId);
        if (before === undefined) return;
        expect(next).not.toEqual(before);
        expect(next.engagedMs).toBeGreaterThanOrEqual(before.engagedMs);
        expect(next.scrollPercent).toBeGreaterThanOrEqual(before.scrollPercent);
      });
    }),
  );
});
