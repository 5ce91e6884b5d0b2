/**
 * Owns: `POST /e`, and `GET /e` for where only an image gets out: reading one hit from a request, and the answer.
 * Not: what hits there are (hits.ts), or what they do.
 *
 * A page that goes away can send nothing but a beacon: text/plain, so that a browser needs no preflight for it. And
 * only here are the headers seen that a CDN adds to a request.
 */
import { VITAL_NAMES } from "../../../domain/engagement/vitals.ts";
import { MAX_BEACON_LENGTH } from "../../../domain/limits.ts";
import type { ActionCtx } from "../../_generated/server.js";
import { callerError } from "../../errors.ts";
import { answered, CORS, outcomeHeader } from "./answers.ts";
import { parseJson, parseObject } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { receiveHit } from "./hits.ts";

/** One transparent pixel, the smallest picture that every browser takes. */
const PIXEL = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** One hit as JSON. The answer is empty: what became of the hit stands in its header. */
export async function receive(ctx: ActionCtx, request: Request): Promise<Response> {
  return await answered(async () => {
    const fields = readBody(await request.text());
    const outcome = await receiveHit(ctx, fields, request.headers);
    return new Response(null, { status: 204, headers: { ...CORS, ...outcomeHeader(outcome) } });
  });
}

/**
 * The same as parameters of an image's address; a view when `kind` is left out. `v` is whatever makes the address one
 * that no cache has seen; a hit is recognised by its `eventId` all the same.
 */
export async function receiveImage(ctx: ActionCtx, request: Request): Promise<Response> {
  return await answered(async () => {
    const fields = readAddress(new URL(request.url));
    const outcome = await receiveHit(ctx, fields, request.headers);
    const headers = {
      ...{ ...CORS, ...outcomeHeader(outcome) },
      "Content-Type": "image/gif",
      "Cache-Control": "no-store, private, max-age=0",
    };
    return new Response(pixel(), { status: 200, headers });
  });
}

/** Parameters that are numbers; vitals stand in the address beside the others. */
const NUMERIC: readonly string[] = ["screenWidth", "engagedMs", "scrollPercent"];
const VITALS_SAID: readonly string[] = VITAL_NAMES;

export function preflight(): Response {
  return new Response(null, { status: 204, headers: CORS });
}

function readBody(text: string): Fields {
  assertShort("The body", text.length);
  const fields = parseObject(text);
  if (fields !== null) return fields;
  throw callerError(
    "invalid_beacon",
    `The body is no JSON object; wanted {"kind":"view",…}, {"kind":"event",…}, {"kind":"beat",…}, {"kind":"engagement",…} or {"kind":"leave",…}.`,
  );
}

function readAddress({ search, searchParams }: URL): Fields {
  assertShort("The address", search.length);
  const { kind = "view", interactive, properties, ...said } = Object.fromEntries(searchParams);
  // An empty parameter is one that the page had nothing for.
  const given = Object.entries(said).filter(([, text]) => text !== "");
  const numbers = given.filter(([name]) => NUMERIC.includes(name));
  const vitals = given.filter(([name]) => VITALS_SAID.includes(name));
  return {
    ...Object.fromEntries(given),
    ...asNumbers(numbers),
    ...(vitals.length === 0 ? {} : { vitals: asNumbers(vitals) }),
    // JSON text: `true`, and an object.
    ...(interactive ? { interactive: parseJson(interactive) ?? interactive } : {}),
    ...(properties ? { properties: parseJson(properties) ?? properties } : {}),
    kind,
  };
}

function asNumbers(said: readonly [string, string][]): Record<string, number> {
  return Object.fromEntries(said.map(([name, text]) => [name, Number(text)]));
}

function assertShort(what: string, characters: number): void {
  if (characters <= MAX_BEACON_LENGTH) return;
  const message = `${what} has ${characters} characters; at most ${MAX_BEACON_LENGTH} are read.`;
  throw callerError("invalid_beacon", message);
}

function pixel(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(PIXEL), (character) => character.charCodeAt(0));
}
