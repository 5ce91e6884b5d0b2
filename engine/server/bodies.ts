/** Owns: reading a request's body within a bound, and unpacking br and gzip without letting a small body become a huge one. */
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip } from "node:zlib";
import { parseForeignJson } from "../values/foreign-json.ts";
import { HttpProblem } from "./exchange.ts";

const unpackBrotli = promisify(brotliDecompress);
const unpackGzip = promisify(gunzip);

export function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(
    413,
    "PayloadTooLarge",
    `The request's body is larger than ${maxBytes} bytes.`,
  );
}

/** The body as it comes, without unpacking it. */
export async function* bodyWithin(stream: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of wholeOf(stream)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

async function readWithin(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bodyWithin(stream, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Whoever hangs up in the middle has made a mistake of their own, which is no news for the operator's log. */
async function* wholeOf(stream: Readable): AsyncGenerator<Buffer> {
  try {
    // A request that was destroyed half-read could not be answered any more.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk))
        throw new Error("A request's body came as text; nobody may set its encoding.");
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
    throw new HttpProblem(400, "BadBody", "The request ended before its body did.");
  }
}

async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  try {
    switch (encoding) {
      case "":
      case "identity":
        return packed;
      case "br":
        return await unpackBrotli(packed, { maxOutputLength: maxBytes });
      case "gzip":
        return await unpackGzip(packed, { maxOutputLength: maxBytes });
      default:
        throw new HttpProblem(
          415,
          "UnsupportedEncoding",
          `Body encoding "${encoding}" is unknown. Known: br, gzip.`,
        );
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(maxBytes);
    throw new HttpProblem(400, "BadBody", `The request's body is not valid ${encoding}.`);
  }
}

export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  return unpack(
    await readWithin(stream, maxBytes),
    (encoding ?? "").trim().toLowerCase(),
    maxBytes,
  );
}

/** Bodies are JSON whatever their content type says, as on Convex. */
export function parseJsonBody(body: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseForeignJson(body.toString("utf8"));
  } catch (cause) {
    throw new HttpProblem(400, "BadJsonBody", `The request's body is not JSON: ${String(cause)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new HttpProblem(400, "BadJsonBody", "The request's body must be a JSON object.");
}
