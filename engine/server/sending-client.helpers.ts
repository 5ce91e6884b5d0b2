/**
 * Owns: a client that sends mutations over the websocket and, like the official one, sends again over the next
 * connection whatever was not answered; without its pauses.
 * Not: queries.
 */
import { WebSocket } from "ws";

export type Sent = { readonly path: string; readonly args: object };

export class SendingClient {
  readonly #sessionId = crypto.randomUUID();
  readonly #unanswered = new Map<number, Sent>();
  readonly #onAnswer: (sent: Sent) => void;
  #nextRequestId = 0;
  #connectionCount = 0;
  #socket: WebSocket | null = null;

  constructor(onAnswer: (sent: Sent) => void) {
    this.#onAnswer = onAnswer;
  }

  get unanswered(): number {
    return this.#unanswered.size;
  }

  /** Resolves when the connection is open and everything unanswered has been sent again, in its order. */
  async connect(url: string): Promise<void> {
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/1.0.0/sync`);
    socket.on("error", () => socket.terminate());
    socket.on("message", (data: Buffer) => this.#receive(data.toString("utf8")));
    await new Promise<void>((resolve) => {
      socket.once("open", resolve);
      socket.once("close", () => resolve());
    });
    this.#socket = socket;
    const connectionCount = this.#connectionCount++;
    this.#say({ type: "Connect", sessionId: this.#sessionId, connectionCount });
    for (const [requestId, sent] of this.#unanswered) this.#sayMutation(requestId, sent);
  }

  send(sent: Sent): void {
    const requestId = this.#nextRequestId++;
    this.#unanswered.set(requestId, sent);
    this.#sayMutation(requestId, sent);
  }

  close(): void {
    this.#socket?.terminate();
  }

  #sayMutation(requestId: number, { path, args }: Sent): void {
    this.#say({ type: "Mutation", requestId, udfPath: path, args: [args] });
  }

  #say(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as { type: string; requestId: number; success: boolean };
    if (message.type !== "MutationResponse") return;
    if (!message.success) throw new Error(`A mutation failed: ${text}`);
    const sent = this.#unanswered.get(message.requestId);
    if (sent === undefined) throw new Error(`A second answer to request ${message.requestId}.`);
    this.#unanswered.delete(message.requestId);
    this.#onAnswer(sent);
  }
}
