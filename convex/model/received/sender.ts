/**
 * Owns: `GET /v1/sender`: from where Footfall believes that this very request came, said to whoever sent it (/help).
 * Not: believing it (the runtime's own request metadata).
 *
 * Nothing is stored, and nobody hears of an address but the browser that has it.
 */
import type { ActionCtx } from "../../_generated/server.js";
import { isPublicAddress } from "../addressHash.ts";
import { CORS } from "./answers.ts";

/** No answer for one is an answer for another. */
const FOR_NOBODY_ELSE = { ...CORS, "Cache-Control": "no-store, private, max-age=0" };

export type SenderSeen = {
  /** Null: nobody knows, and daily visitors are nobody's. */
  readonly address: string | null;
  /** False for this machine and private networks, from where no visitor on the Internet comes. */
  readonly isPublic: boolean;
  /** What stood in X-Forwarded-For, believed or not; from the left, who is farthest. */
  readonly forwardedFor: readonly string[];
};

export async function serve(ctx: ActionCtx, request: Request): Promise<Response> {
  const { ip } = await ctx.meta.getRequestMetadata();
  const address = ip === "" ? null : ip;
  const header = request.headers.get("X-Forwarded-For") ?? "";
  const seen: SenderSeen = {
    address,
    isPublic: address !== null && isPublicAddress(address),
    forwardedFor: header
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ""),
  };
  return Response.json(seen, { headers: FOR_NOBODY_ELSE });
}
