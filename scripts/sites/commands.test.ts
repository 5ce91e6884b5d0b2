import { expect, test } from "vitest";
import { BadOptions } from "../options.ts";
import { describe as tell, usage } from "./answers.ts";
import { SITE_COMMANDS, parseCommand } from "./commands.ts";

const callOf = (...args: string[]) => parseCommand(args)?.call;

test("each command is one call of a function, with what was given and nothing else", () => {
  expect(callOf("list")).toEqual({ path: "sites:list", args: {} });
  expect(callOf("add", "shop", "--host", "shop.example", "--host=www2.shop.example")).toEqual({
    path: "sites:add",
    args: { slug: "shop", hosts: ["shop.example", "www2.shop.example"] },
  });
  expect(callOf("set", "shop", "--dedup-minutes", "0", "--group", "/user/*")).toEqual({
    path: "sites:set",
    args: { site: "shop", dedupWindowMs: 0, pathRules: { group: ["/user/*"] } },
  });
  expect(callOf("set", "shop", "--no-rules", "--no-hosts", "--country-header", "none")).toEqual({
    path: "sites:set",
    args: { site: "shop", pathRules: null, hosts: [], countryHeader: null },
  });
  expect(callOf("set", "shop", "--visitors", "daily")?.args).toEqual({
    site: "shop",
    visitorMode: "daily",
  });
  expect(callOf("set", "shop", "--access", "token")?.args).toEqual({
    site: "shop",
    access: "token",
  });
  expect(callOf("add-token", "shop", "--name", "board")).toEqual({
    path: "tokens:create",
    args: { site: "shop", name: "board" },
  });
  expect(callOf("add-token", "shop", "--segment", "Readers in Spain", "--days", "30")).toEqual({
    path: "tokens:create",
    args: { site: "shop", segment: "Readers in Spain", days: 30 },
  });
  expect(callOf("set", "default", "--any-host")?.args).toEqual({
    site: "default",
    takesUnknownHosts: true,
  });
  expect(callOf("rename", "shop", "My", "shop")?.args).toEqual({ site: "shop", name: "My shop" });
  expect(callOf("annotate", "shop", "Version", "2", "--on", "2026-11-30")).toEqual({
    path: "annotations:add",
    args: { site: "shop", text: "Version 2", on: "2026-11-30" },
  });
  const named = { site: "shop", name: "Readers in Spain" };
  const filter = "country:is:ES;path:matches:/posts/*";
  expect(callOf("add-segment", "shop", "Readers", "in", "Spain", "--filter", filter)).toEqual({
    path: "segments:add",
    args: { ...named, filter },
  });
  expect(callOf("remove-segment", "shop", "Readers in Spain")).toEqual({
    path: "segments:remove",
    args: named,
  });
  expect(callOf("remove-annotation", "shop", "--id", "a1")).toEqual({
    path: "annotations:remove",
    args: { site: "shop", id: "a1" },
  });
  expect(callOf("delete", "shop")).toEqual({ path: "sites:remove", args: { site: "shop" } });
  expect(callOf("delete", "shop", "--confirm", "shop")?.args).toEqual({
    site: "shop",
    confirm: "shop",
  });
});

test.each([
  [["lst"], /"lst" is no command\. Known: list, add, set/],
  [["add", "shop", "--zone", "UTC"], /'--zone'.*add knows: --host, --name, --time-zone/],
  [["add"], /add takes SLUG, not ""/],
  [["size", "a", "b"], /size takes SLUG, not "a b"/],
  [["list", "shop"], /list takes nothing, not "shop"/],
  [["set", "shop", "--visitors", "all"], /--visitors takes browser, daily, none, not "all"/],
  [["set", "shop", "--dedup-minutes", "half"], /--dedup-minutes takes a number, not "half"/],
])("%j is refused with what there is", (args, message) => {
  expect(() => parseCommand(args)).toThrow(BadOptions);
  expect(() => parseCommand(args)).toThrow(message);
});

test("help is asked for by nothing, by help, and by --help anywhere, and names every command and option", () => {
  for (const args of [[], ["help"], ["--help"], ["add", "shop", "--help"]]) {
    expect(parseCommand(args)).toBeNull();
  }
  for (const [name, { options }] of Object.entries(SITE_COMMANDS)) {
    expect(usage()).toContain(name);
    for (const option of options) expect(usage()).toContain(`--${option.name}`);
  }
});

test("what would go with a site is a list, and the command that does it", () => {
  const tables = [
    { table: "pageViews", rows: 1_000, isExact: false },
    { table: "live", rows: 1, isExact: true },
  ];
  const text = tell("delete", { site: "shop", state: "dryRun", tables });
  expect(text).toMatch(/pageViews {2}more than 1000\nlive {7}1\n/);
  expect(text).toContain("npm run sites -- delete shop --confirm shop");
});

test("an annotation is told with what it is removed by, and its day or moment", () => {
  const told = tell("annotations", [
    { id: "a2", at: Date.parse("2026-12-01T09:30:00Z"), day: null, text: "Version 2" },
    { id: "a1", at: 0, day: "2026-11-30", text: "Outage" },
  ]);
  expect(told).toBe(
    "id  on                        text\na2  2026-12-01T09:30:00.000Z  Version 2\na1  2026-11-30                Outage",
  );
});

test("a segment is told as it is written, and a token with the one that it shows alone", () => {
  const filter = [
    { dimension: "country", operator: "is", values: ["ES"] },
    { dimension: "path", operator: "matches", values: ["/posts/*", "/b|c"] },
  ];
  expect(tell("segments", [{ name: "Spain", filter }])).toBe(
    "segment  filter\nSpain    country:is:ES;path:matches:/b\\|c|/posts/*",
  );
  expect(tell("remove-segment", false)).toMatch("none of that name");
  const token = { id: "t1", name: "board", createdAt: 0, segment: "Spain" };
  expect(tell("tokens", [token])).toMatch(/password {2}segment alone\nt1 .* Spain$/);
});
