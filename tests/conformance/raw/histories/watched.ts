/** Owns: subscriptions of a history: looked at again only when the engine says that they are stale. Not: what must hold (play.ts). */
import { jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import type { LiveQuery } from "../../../../engine/application.ts";
import type { Args, EngineDeployment } from "./deployments.ts";
import type { Read } from "./history.ts";

export type Page = { page: Value[]; isDone: boolean; continueCursor: string };

/** How many pages of a paginated subscription are open. */
const MAX_PAGES = 3;

export class Watched {
  readonly name: string;
  readonly args: Args;
  #live: LiveQuery | null = null;
  #isStale = true;
  #seen: Value = null;

  constructor(name: string, args: Args) {
    this.name = name;
    this.args = args;
  }

  open(deployment: EngineDeployment): void {
    this.#live = deployment.watch(this.name, this.args);
    this.#live.onStale(() => {
      this.#isStale = true;
    });
    this.#isStale = true;
  }

  /** Also where nobody said that anything has changed. */
  look(deployment: EngineDeployment): Promise<Value> {
    this.#isStale = true;
    return this.refresh(deployment);
  }

  async refresh(deployment: EngineDeployment): Promise<Value> {
    if (this.#isStale && this.#live !== null) {
      this.#isStale = false;
      const { results } = await deployment.engine.application.live.evaluate([this.#live]);
      const [result] = results;
      if (result?.ok !== true) throw new Error(`A watched query failed: ${result?.message}`);
      this.#seen = jsonToConvex(JSON.parse(result.value) as JSONValue);
    }
    return this.#seen;
  }
}

/** Pages that follow each other, each opened where the one before ended. */
export class WatchedPages {
  readonly read: Read;
  readonly #numItems: number;
  #pages: Watched[] = [];

  constructor(read: Read, numItems: number) {
    this.read = read;
    this.#numItems = numItems;
  }

  async open(deployment: EngineDeployment): Promise<void> {
    this.#pages = [];
    let cursor: string | null = null;
    for (let isDone = false; !isDone && this.#pages.length < MAX_PAGES;) {
      const page = new Watched("page", { read: this.read, cursor, numItems: this.#numItems });
      page.open(deployment);
      const shown = (await page.refresh(deployment)) as Page;
      this.#pages.push(page);
      ({ isDone, continueCursor: cursor } = shown);
    }
  }

  async refresh(deployment: EngineDeployment): Promise<Page[]> {
    const shown: Page[] = [];
    for (const page of this.#pages) shown.push((await page.refresh(deployment)) as Page);
    return shown;
  }
}
