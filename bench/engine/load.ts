/**
 * Owns: visitors' browsers: official clients over websockets that send views, and how many were acknowledged a second.
 * Not: which engine they talk to.
 */
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { WebSocket } from "ws";
import type { Hit } from "../support/traffic.ts";
import type { Design } from "./apps.ts";
import { hitsAfter } from "./hits.ts";

const recordPageView = makeFunctionReference<"mutation">("stats:recordPageView");

/** Node's own name is a bot's. */
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

/** Views that one client has sent and that are not answered yet. */
const IN_FLIGHT = 8;
export const MS_PER_SECOND = 1_000;

class PersonSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: { "User-Agent": USER_AGENT } });
  }
}

export function connect(url: string): ConvexClient {
  return new ConvexClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    webSocketConstructor: PersonSocket as never,
  });
}

export class Load {
  readonly #clients: ConvexClient[];
  readonly #hits: Iterator<Hit, never>;
  readonly #design: Design;

  constructor(url: string, { design, views, startsAt, clients }: LoadOptions) {
    this.#clients = Array.from({ length: clients }, () => connect(url));
    this.#hits = hitsAfter(views, startsAt);
    this.#design = design;
  }

  /** Sends `count` views as fast as they are acknowledged, and returns how many that were a second. */
  async send(count: number): Promise<number> {
    let left = count;
    const startedAt = performance.now();
    const lanes = this.#clients.flatMap((client) =>
      Array.from({ length: IN_FLIGHT }, async () => {
        while (left-- > 0) await this.#record(client);
      }),
    );
    await Promise.all(lanes);
    return count / ((performance.now() - startedAt) / MS_PER_SECOND);
  }

  /** One view; resolves when it is acknowledged, with whether it counts (or is a duplicate). */
  async sendOne(): Promise<boolean> {
    const [client] = this.#clients;
    return client !== undefined && (await this.#record(client));
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async #record(client: ConvexClient): Promise<boolean> {
    const { at: _at, userAgent: _userAgent, ...view } = this.#hits.next().value;
    const { path, pageType, sessionId } = view;
    const args = this.#design === "footfall" ? view : { path, pageType, sessionId };
    const result: unknown = await client.mutation(recordPageView, args);
    return typeof result === "object" && result !== null && "outcome" in result
      ? result.outcome === "counted"
      : true;
  }
}

export type LoadOptions = {
  design: Design;
  /** How many hits are in the folder already. */
  views: number;
  startsAt: number;
  clients: number;
};
