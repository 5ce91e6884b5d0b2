/** Owns: a WebSocket that notes the shape of each message in both directions. Not: what they say. */

/** What an app puts there is its own; the protocol only carries it. */
const CARRIED = new Set(["args", "value", "result", "errorData", "journal", "metadata"]);

export class MessageShapes {
  readonly #shapes = new Set<string>();

  /** As `client Mutation {…}`, sorted; each shape once. */
  get lines(): readonly string[] {
    return [...this.#shapes].sort();
  }

  note(from: "client" | "server", text: string): void {
    const message = JSON.parse(text) as { type: string; modifications?: readonly unknown[] };
    // When a ping comes, and how many changes come in one message, is a matter of time.
    if (message.type === "Ping") return;
    const { modifications, ...rest } = message;
    this.#shapes.add(`${from} ${message.type} ${shapeOf(rest)}`);
    for (const change of modifications ?? [])
      this.#shapes.add(`${from} ${message.type}, a modification ${shapeOf(change)}`);
  }

  /** For the client's `webSocketConstructor`. */
  get socket(): typeof WebSocket {
    const note = (from: "client" | "server", data: unknown): void => {
      if (typeof data === "string") this.note(from, data);
    };
    return class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        this.addEventListener("message", ({ data }) => note("server", data));
      }
      override send(data: Parameters<WebSocket["send"]>[0]): void {
        note("client", data);
        super.send(data);
      }
    };
  }
}

function shapeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join(" | ")}]`;
  if (typeof value !== "object") return typeof value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const shown = fields.map(([name, field]) => {
    if (name === "type") return `type: ${String(field)}`;
    return CARRIED.has(name) ? `${name}: …` : `${name}: ${shapeOf(field)}`;
  });
  return `{${shown.sort().join(", ")}}`;
}
