/**
 * Owns: websockets: accepting them, their bounds, whether the other side still lives, closing them.
 * Not: what is said over them (sync/).
 */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { MAX_ARGS_BYTES } from "../limits.ts";
import { PING_EVERY_MS } from "../sync/protocol/ping.ts";
import { Session, type Peer, type SessionContext } from "../sync/session.ts";
import { closeReasons, type CloseReason, type Wire } from "../sync/wire.ts";
import { readFrames } from "./frame-reader.ts";
import { STOP_WITHIN_MS } from "./http.ts";

const SYNC_PATH = /^\/api\/(?:[^/]+\/)?sync$/;
/** Arguments of a mutation, with room for JSON's escapes. */
const MAX_FRAME_BYTES = MAX_ARGS_BYTES + MAX_ARGS_BYTES / 4;
/** Below this a reader counts as keeping up, and gets the next change at once. */
const DRAINED_BYTES = 256 * 1024;
/** A reader that lets answers pile up beyond this is cut off: it costs memory that others need. */
const MAX_BUFFERED_BYTES = 64 * 1024 * 1024;
/** As many pings as a living client may leave unanswered: a minute, its own limit too. */
const MAX_UNANSWERED_PINGS = 4;

/** Also counts what lies in our own process before the socket takes it. */
class SocketWire implements Wire {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #onOverflow: () => void;
  #isGathering = false;
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket, connection: Duplex, onOverflow: () => void) {
    this.#socket = socket;
    this.#connection = connection;
    this.#onOverflow = onOverflow;
    socket.once("close", () => this.#letGo());
  }

  send(text: string): void {
    if (this.#socket.bufferedAmount > MAX_BUFFERED_BYTES) return this.#onOverflow();
    this.#gather();
    this.#socket.send(text, () => {
      if (this.#isDrained()) this.#letGo();
    });
  }

  drained(): Promise<void> {
    if (this.#isDrained()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  close({ code, reason }: CloseReason): void {
    this.#socket.close(code, reason);
  }

  /**
   * What is sent within two turns of the event loop goes out in one call to the system: the answers to a client's
   * mutations that share a flush, and the Transition for which the client waits before it believes them.
   */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#connection.cork();
    setImmediate(() =>
      setImmediate(() => {
        this.#isGathering = false;
        this.#connection.uncork();
      }),
    );
  }

  #isDrained(): boolean {
    return (
      this.#socket.readyState !== this.#socket.OPEN || this.#socket.bufferedAmount <= DRAINED_BYTES
    );
  }

  #letGo(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Half-open connections (a laptop that sleeps) are noticed only by asking. */
function watchLiveness(socket: WebSocket): void {
  let unanswered = 0;
  const alive = () => {
    unanswered = 0;
  };
  socket.on("pong", alive);
  socket.on("message", alive);
  const timer = setInterval(() => {
    unanswered += 1;
    if (unanswered > MAX_UNANSWERED_PINGS) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.ping();
  }, PING_EVERY_MS);
  socket.once("close", () => clearInterval(timer));
}

export class SyncSockets {
  readonly #context: SessionContext;
  readonly #peerOf: (request: IncomingMessage) => Peer;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  readonly #sessions = new Map<WebSocket, Session>();

  constructor(context: SessionContext, peerOf: (request: IncomingMessage) => Peer) {
    this.#context = context;
    this.#peerOf = peerOf;
  }

  get connectionCount(): number {
    return this.#sessions.size;
  }

  attach(server: Server): void {
    server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Whatever arrived is read and run, as far as its sender lets us; then every client is told to come back later. */
  async close(): Promise<void> {
    const sessions = [...this.#sessions];
    // What cannot be read by then (its sender takes no answers, a token's issuer gives none) is sent again later.
    await settledWithin(
      STOP_WITHIN_MS,
      sessions.map(([, session]) => session.read()),
    );
    await this.#context.lanes.idle();
    for (const [, session] of sessions) session.close(closeReasons.goingAway);
    await Promise.all(sessions.map(([socket]) => closed(socket)));
    this.#server.close();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path = ""] = (request.url ?? "").split("?");
    if (!SYNC_PATH.test(path)) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (accepted) =>
      this.#accept(accepted, socket, request),
    );
  }

  #accept(socket: WebSocket, connection: Duplex, request: IncomingMessage): void {
    const wire = new SocketWire(socket, connection, () => {
      session.close(closeReasons.slowReader);
      socket.terminate();
    });
    const session = new Session(this.#context, this.#peerOf(request), wire);
    this.#sessions.set(socket, session);
    watchLiveness(socket);
    readFrames(socket, (text) => session.receive(text));
    // A frame that is too large or broken: ws has closed the socket with its own code already.
    socket.on("error", () => session.onClosed());
    socket.once("close", () => {
      this.#sessions.delete(socket);
      session.onClosed();
    });
  }
}

async function settledWithin(maxMs: number, work: readonly Promise<void>[]): Promise<void> {
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  await Promise.race([Promise.all(work), timeIsUp]);
  clearTimeout(timer);
}

/** A client has this long to answer the closing handshake. */
const CLOSE_WITHIN_MS = 1_000;

function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === socket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const cutOff = setTimeout(() => socket.terminate(), CLOSE_WITHIN_MS);
    socket.once("close", () => {
      clearTimeout(cutOff);
      resolve();
    });
  });
}
