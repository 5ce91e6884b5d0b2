/** Owns: which values each validator accepts as an argument, as a result and in a document, and what it says. Not: how a runtime checks. */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { expectedOn, failureOf } from "./world.ts";
import type { CurrentWorld, World } from "./world.ts";

const SAMPLES: Readonly<Record<string, Value>> = {
  null: null,
  int64: 1n,
  float64: 1,
  minusZero: -0,
  notANumber: NaN,
  true: true,
  false: false,
  text: "a",
  otherText: "b",
  bytes: new Uint8Array([1, 2]).buffer,
  texts: ["a", "b"],
  mixed: ["a", 1],
  nothing: [],
  person: { name: "ada" },
  sized: { name: "ada", size: 2 },
  unnamed: { size: 2 },
  extra: { name: "ada", age: 36 },
  numbers: { a: 1, b: -0.5 },
  empty: {},
};

type Kind = { readonly fits: readonly string[]; readonly rendered: string };

const KINDS: Readonly<Record<string, Kind>> = {
  null: { fits: ["null"], rendered: "v.null()" },
  int64: { fits: ["int64"], rendered: "v.int64()" },
  float64: { fits: ["float64", "minusZero", "notANumber"], rendered: "v.float64()" },
  boolean: { fits: ["true", "false"], rendered: "v.boolean()" },
  string: { fits: ["text", "otherText", "id"], rendered: "v.string()" },
  bytes: { fits: ["bytes"], rendered: "v.bytes()" },
  any: { fits: [...Object.keys(SAMPLES), "id"], rendered: "v.any()" },
  commitTs: { fits: ["int64"], rendered: "v.commitTs()" },
  id: { fits: ["id"], rendered: 'v.id("things")' },
  literalText: { fits: ["text"], rendered: 'v.literal("a")' },
  literalNumber: { fits: ["float64"], rendered: "v.literal(1.0)" },
  literalInt64: { fits: ["int64"], rendered: "v.literal(<bigint>)" },
  literalBoolean: { fits: ["true"], rendered: "v.literal(true)" },
  array: { fits: ["texts", "nothing"], rendered: "v.array(v.string())" },
  object: {
    fits: ["person", "sized"],
    rendered: "v.object({name: v.string(), size: v.optional(v.float64())})",
  },
  record: { fits: ["numbers", "empty", "unnamed"], rendered: "v.record(v.string(), v.float64())" },
  union: { fits: ["text", "otherText", "id", "null", "person"], rendered: "v.union(" },
  optional: { fits: ["text", "otherText", "id"], rendered: "v.string()" },
  nullable: { fits: ["true", "false", "null"], rendered: "v.union(v.boolean(), v.null())" },
};

const NO_RECORDS =
  "convex-test's validateValidator has no case for v.record() and lets everything through";

/** What fits on this runtime, by the names of the samples. */
function fitting(world: World, kind: string): readonly string[] {
  const { fits = [] } = KINDS[kind] ?? {};
  const convexTest = { record: [...Object.keys(SAMPLES), "id"], literalInt64: [] }[kind];
  if (convexTest === undefined) return fits;
  return expectedOn(world, { convex: fits, convexTest, because: NO_RECORDS });
}

async function samplesOn(world: World): Promise<[name: string, value: Value][]> {
  const ids = await world.mutation("rows:insert", { table: "things", docs: [{}] });
  return [...Object.entries(SAMPLES), ["id", (ids as string[])[0] ?? ""]];
}

/** Which samples one way of handing a value over accepts. */
async function accepted(
  world: World,
  give: (value: Value) => Promise<unknown>,
): Promise<{ fits: string[]; said: string[] }> {
  const fits: string[] = [];
  const said: string[] = [];
  for (const [name, value] of await samplesOn(world)) {
    await give(value).then(
      () => fits.push(name),
      (error: unknown) => said.push(error instanceof Error ? error.message : String(error)),
    );
  }
  return { fits: fits.sort(), said };
}

const sorted = (names: readonly string[]): string[] =>
  names.filter((name) => name === "id" || name in SAMPLES).toSorted();

export function describeValidators(current: CurrentWorld): void {
  describe.each(Object.keys(KINDS))("v.%s", (kind) => {
    const { rendered = "" } = KINDS[kind] ?? {};

    test("as an argument accepts its own values and names itself to others", async () => {
      const world = current();
      const { fits, said } = await accepted(world, (value) =>
        world.query(`checked:${kind}_in`, { value }),
      );
      expect(fits).toEqual(sorted(fitting(world, kind)));
      for (const message of said)
        expect(message).toMatch(refusal(world, "ArgumentValidationError"));
      if (world.runtime === "engine" && said.length > 0 && kind !== "union")
        expect(said.join("\n")).toContain(rendered);
    });

    test("in a document accepts its own values, and what it refuses is not written", async () => {
      const world = current();
      const table = `checked_${kind}`;
      const { fits, said } = await accepted(world, (value) =>
        world.mutation("rows:insert", { table, docs: [{ value }] }),
      );
      expect(fits).toEqual(sorted(fitting(world, kind)));
      for (const message of said) expect(message).toMatch(refusal(world, `table "${table}"`));
      expect(await world.query("rows:docs", { table })).toHaveLength(fits.length);
    });
  });

  test.each(Object.keys(KINDS).filter((kind) => kind !== "optional"))(
    "v.%s as a result accepts its own values",
    async (kind) => {
      const world = current();
      const { fits, said } = await accepted(world, (value) =>
        world.query(`checked:${kind}_out`, { value }),
      );
      expect(fits).toEqual(sorted(fitting(world, kind)));
      for (const message of said) expect(message).toMatch(refusal(world, "ReturnsValidationError"));
    },
  );

  test("a missing argument is refused unless it is optional, an extra one always", async () => {
    const world = current();
    expect(await world.query("checked:optional_in")).toBe("accepted");
    const missing = await failureOf(world.query("checked:string_in"));
    expect(missing.message).toMatch(
      expectedOn(world, {
        convex: /ArgumentValidationError: Object is missing the required field `value`/,
        convexTest: /Missing required field `value`/,
        because: "convex-test has wording of its own",
      }),
    );
    const extra = await failureOf(world.query("checked:string_in", { value: "a", more: 1 }));
    expect(extra.message).toMatch(
      expectedOn(world, {
        convex: /ArgumentValidationError: Object contains extra field `more`/,
        convexTest: /Unexpected field `more`/,
        because: "convex-test has wording of its own",
      }),
    );
  });

  test("a result is a Convex value: nothing is null, undefined fields go, and what is none is named", async () => {
    const world = current();
    const result = (which: string): Promise<Value> => world.query("checked:result", { which });
    expect(await result("nothing")).toBeNull();
    expect(await result("undefinedInside")).toEqual({ b: 1 });
    const none: [which: string, named: RegExp][] = [
      ["map", /Map.*is not a supported Convex type/],
      ["date", /Date.*is not a supported Convex type/],
      ["functionInside", /is not a supported Convex type/],
      ["undefinedInArray", /undefined is not a valid Convex value/],
      ["typed", /Uint8Array.*is not a supported Convex type/],
    ];
    for (const [which, named] of none)
      expect((await failureOf(result(which))).message).toMatch(named);
  });

  test("an id of another table is refused with both names", async () => {
    const world = current();
    const [id] = (await world.mutation("rows:insert", {
      table: "notes",
      docs: [{ text: "x" }],
    })) as [string];
    const { message } = await failureOf(world.query("checked:id_in", { value: id }));
    expect(message).toMatch(
      expectedOn(world, {
        convex:
          /Found ID "\w+" from table `notes`, which does not match the table name in validator `v\.id\("things"\)`/,
        convexTest: /Expected ID for table "things"/,
        because: "convex-test has wording of its own",
      }),
    );
  });

  test("a result that its validator refuses takes back what the mutation wrote", async () => {
    const world = current();
    await failureOf(world.mutation("nested:badResult"));
    expect(await world.query("nested:all")).toEqual(
      expectedOn(world, {
        convex: [],
        convexTest: ["of a bad result"],
        because:
          "convex-test checks the result after it has committed; Convex checks it inside the function (registration_impl.ts: invokeMutation's caller), so nothing is committed",
      }),
    );
    expect(await world.mutation("nested:catchesBadResult")).toMatchObject({ isRefused: true });
  });
}

function refusal(world: World, onConvex: string): RegExp {
  return expectedOn(world, {
    convex: new RegExp(onConvex),
    convexTest: /Validator error|Return value validation failed|Cannot convert/,
    because: "convex-test has wording of its own",
  });
}
