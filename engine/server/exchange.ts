/**
 * Owns: what the handlers of the HTTP server get and give: plain values, so that they can be tested without a socket.
 * Not: sockets (http.ts), which path leads where (routes).
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { RequestMetadata } from "../application.ts";

export type Incoming = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly metadata: RequestMetadata;
  /** The decoded body; refuses with 413 past `maxBytes`, before and after decompression. */
  body(maxBytes: number): Promise<Buffer>;
  /** The body as it comes, packed if it is; refuses with 413 past `maxBytes`. Either this or `body`, once. */
  stream(maxBytes: number): AsyncIterable<Uint8Array>;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
};

/** A header that occurs more than once (set-cookie) has a list. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export type Answer = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | Readable | null;
};

export type Handler = (incoming: Incoming) => Promise<Answer> | Answer;

/** The caller's fault, or a thing that is not there: one sentence, and a code that the CLI shows before it. */
export class HttpProblem extends Error {
  override name = "HttpProblem";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** `text` is JSON already: values cross the engine as JSON text. */
export function jsonText(text: string, status = 200): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" },
    body: text,
  };
}

export function json(value: unknown, status = 200): Answer {
  return jsonText(JSON.stringify(value), status);
}

export function plainText(text: string, status = 200): Answer {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    body: text,
  };
}

/** The form of an error that the CLI and the HTTP client read. */
export function problem(status: number, code: string, message: string): Answer {
  return json({ code, message }, status);
}
