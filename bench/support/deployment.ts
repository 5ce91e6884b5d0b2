/**
 * Owns: a deployment under convex-test in plain Node, with a clock that is moved by hand and a bill for every call.
 * Not: what is called.
 */
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { convexTest } from "convex-test";
import type { TestConvex } from "convex-test";
import type { GenericSchema, SchemaDefinition } from "convex/server";
import type { Value } from "convex/values";
import type { Bill } from "./bill.ts";
import { BenchClock } from "./clock.ts";
import { Meter } from "./meter.ts";
import type { Indexes } from "./meter.ts";

type Schema = SchemaDefinition<GenericSchema, boolean>;
type Modules = Record<string, () => Promise<unknown>>;

export type Component = { name: string; schema: Schema; modules: Modules };
export type Source = { schema: Schema; modules: Modules; components: readonly Component[] };

/** Every module in a folder, as convex-test wants them: by a path of which `_generated` is a part. */
export function modulesIn(folder: string, extension: ".ts" | ".js"): Modules {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => {
    const isModule = file.endsWith(extension) || /^_generated.*\.js$/.test(file);
    return isModule && !/\.(test|helpers|d)\.[jt]s$/.test(file);
  });
  return Object.fromEntries(
    files.map((file) => {
      const url = pathToFileURL(join(folder, file)).href;
      return [`./${file.split(sep).join("/")}`, (): Promise<unknown> => import(url)];
    }),
  );
}

/** @convex-dev/aggregate under three names. */
export async function aggregates(names: readonly string[]): Promise<Component[]> {
  const entry = fileURLToPath(import.meta.resolve("@convex-dev/aggregate/convex.config.js"));
  const folder = join(entry, "..");
  const url = pathToFileURL(join(folder, "schema.js")).href;
  const { default: schema } = (await import(url)) as { default: Schema };
  return names.map((name) => ({ name, schema, modules: modulesIn(folder, ".js") }));
}

export class Deployment {
  readonly clock: BenchClock;
  readonly t: TestConvex<Schema>;
  /** Of every call since the last `forget`. */
  bills: Bill[] = [];
  readonly #meter: Meter;

  constructor({ schema, modules, components }: Source, startsAt: number) {
    this.clock = new BenchClock(startsAt);
    this.clock.install();
    this.t = convexTest(schema, modules);
    for (const component of components) {
      this.t.registerComponent(component.name, component.schema, component.modules);
    }
    this.#meter = new Meter(indexesOf([{ name: "", schema }, ...components]));
  }

  /** One call from outside; returns its bill. */
  async call(work: () => Promise<unknown>): Promise<Bill> {
    const bill = await this.#meter.bill(work);
    this.bills.push(bill);
    return bill;
  }

  /** Time passes; each scheduled function that is due on the way is a call of its own. */
  async advanceTo(at: number): Promise<void> {
    await this.clock.advanceTo(at, async (fire) => {
      await this.call(async () => {
        await fire();
        await this.t.finishInProgressScheduledFunctions();
      });
    });
  }

  /** From now on `work` runs this often, as a cron does. */
  every(
    { everyMs, firstInMs }: { everyMs: number; firstInMs: number },
    work: () => Promise<unknown>,
  ): void {
    this.clock.setTimer(firstInMs, () => {
      this.every({ everyMs, firstInMs: everyMs }, work);
      return work();
    });
  }

  takeBills(): Bill[] {
    const { bills } = this;
    this.bills = [];
    return bills;
  }

  close(): void {
    this.clock.uninstall();
  }
}

function indexesOf(parts: readonly { name: string; schema: Schema }[]): Indexes {
  const tables = parts.flatMap(({ name, schema }) =>
    Object.entries(schema.tables).map(([table, definition]) => {
      const fields = definition[" indexes"]().map((index) => index.fields);
      return [`${name}/${table}`, fields] as const;
    }),
  );
  return new Map(tables);
}

export type InsertRows = { insert: (table: string, row: Record<string, Value>) => Promise<string> };
type ComponentRunner = {
  runInComponent: <T>(path: string, work: (ctx: { db: InsertRows }) => Promise<T>) => Promise<T>;
};

/** Inserts rows into the tables of a component; "" is the root. Nothing is billed. */
export async function runIn<T>(
  { t }: Deployment,
  component: string,
  work: (db: InsertRows) => Promise<T>,
): Promise<T> {
  if (!canRunInComponent(t)) throw new Error("This version of convex-test has no runInComponent.");
  return await t.runInComponent(component, (ctx) => work(ctx.db));
}

function canRunInComponent<T extends object>(t: T): t is T & ComponentRunner {
  return "runInComponent" in t;
}
