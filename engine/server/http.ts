/**
 * Owns: HTTP sockets: reading a request into plain values, writing an answer with backpressure, stopping cleanly.
 * Not: what is answered (origin.ts), websockets (websocket.ts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EngineLog } from "../logs/engine-log.ts";
import { bodyWithin, readBody } from "./bodies.ts";
import { problem, type Answer, type Incoming } from "./exchange.ts";
import { requestMetadata } from "./request-metadata.ts";
import type { Respond } from "./routes.ts";
import { listenOrSay } from "./start-error.ts";

/** Longer than the idle time of common proxies, so that they close first and never send into a closing socket. */
const KEEP_ALIVE_MS = 75_000;
/** A stranger who sends a header drop by drop does not hold a socket for ever. */
const HEADERS_WITHIN_MS = 20_000;
/** What still runs or waits after this long is cut off when the engine stops. */
export const STOP_WITHIN_MS = 5_000;

export type HttpOptions = {
  readonly log: EngineLog;
  /** How many proxies in front append to X-Forwarded-For. */
  readonly trustedProxies: number;
};

/** One listening port. Until it is told how to respond, it says that the engine is starting. */
export class HttpPort {
  readonly server: Server;
  readonly port: number;
  #isClosing = false;
  #respond: Respond = () =>
    Promise.resolve(problem(503, "Starting", "The engine is starting. Ask again in a moment."));

  /** `flag` names the option that chose the port, for the sentence when it cannot be had. */
  static async open(
    host: string,
    port: number,
    flag: string,
    options: HttpOptions,
  ): Promise<HttpPort> {
    const server = createServer();
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.headersTimeout = HEADERS_WITHIN_MS;
    await listenOrSay(server, host, port, flag);
    return new HttpPort(server, options);
  }

  private constructor(server: Server, options: HttpOptions) {
    this.server = server;
    this.port = portOf(server);
    server.on("request", (request, response) => {
      void exchange(request, response, options, (incoming) => this.#answer(incoming)).catch(
        (error: unknown) => {
          options.log.problem(`${request.method} ${request.url} could not be answered`, error);
          response.destroy();
        },
      );
    });
  }

  /** A connection that stays open for the next request would hold up the closing. */
  async #answer(incoming: Incoming): Promise<Answer> {
    const answer = await this.#respond(incoming);
    if (!this.#isClosing) return answer;
    return { ...answer, headers: { ...answer.headers, connection: "close" } };
  }

  respondWith(respond: Respond): void {
    this.#respond = respond;
  }

  /** No new requests; those that run get a moment to finish. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    const cutOff = setTimeout(() => this.server.closeAllConnections(), STOP_WITHIN_MS);
    await closed;
    clearTimeout(cutOff);
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("An HTTP port listens on no TCP port.");
  return address.port;
}

async function exchange(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  respond: Respond,
): Promise<void> {
  const url = urlOf(request);
  if (url === null) {
    response.writeHead(400).end();
    return;
  }
  const goneAway = new AbortController();
  response.once("close", () => goneAway.abort());
  const { headers, method = "GET" } = request;
  const incoming: Incoming = {
    method,
    url,
    headers,
    metadata: requestMetadata(headers, request.socket.remoteAddress, options.trustedProxies),
    body: (maxBytes) => readBody(request, headers["content-encoding"], maxBytes),
    stream: (maxBytes) => bodyWithin(request, maxBytes),
    signal: goneAway.signal,
  };
  await write(await respond(incoming), request, response);
}

/** What a host and port can be made of. Anything else ("x/api/query?") would become part of the path. */
const HOST = /^[\w.:[\]-]+$/;

/** The path decides what runs; the host is only shown to HTTP actions. */
function urlOf(request: IncomingMessage): URL | null {
  const path = request.url ?? "/";
  const host = request.headers.host ?? "localhost";
  if (!path.startsWith("/") || !HOST.test(host)) return null;
  const text = `http://${host}${path.startsWith("//") ? `/.${path}` : path}`;
  return URL.canParse(text) ? new URL(text) : null;
}

async function write(
  answer: Answer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed) return;
  const { status, headers, body } = answer;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, typeof value === "string" ? value : [...value]);
  }
  // What was not read of the request would be taken for the next one.
  if (!request.complete) response.setHeader("connection", "close");
  if (body instanceof ReadableStream || body instanceof Readable) {
    if (request.method === "HEAD") return void response.end();
    const chunks = body instanceof Readable ? body : chunksOf(body);
    await pipeline(chunks, response).catch(ignoreGoneReader);
    return;
  }
  if (body !== null) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(request.method === "HEAD" ? null : body);
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

/** A reader may go away in the middle of an answer; that is its right. */
function ignoreGoneReader(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ECONNRESET" && code !== "EPIPE")
    throw error;
}
