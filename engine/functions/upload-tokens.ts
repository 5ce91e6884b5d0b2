/**
 * Owns: the tokens in upload URLs: signed, for one component's files, good for a while.
 * Not: the upload (server/file-routes.ts).
 *
 * The secret lies in the store, so that a URL outlives a restart. As on Convex, a token may be used more than once.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "../catalog/documents.ts";
import { UPLOAD_URL_VALID_MS } from "../limits.ts";
import { UPLOAD_SECRET_KEY } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";

const SECRET_BYTES = 32;

/** `until` is in epoch ms. */
type Grant = { readonly componentPath: string; readonly until: number };

export function issueUploadToken(
  transaction: Transaction,
  componentPath: string,
  random: RandomBytes,
): string {
  const grant: Grant = { componentPath, until: transaction.now + UPLOAD_URL_VALID_MS };
  const text = Buffer.from(JSON.stringify(grant)).toString("base64url");
  const secret = transaction.peek(UPLOAD_SECRET_KEY) ?? newSecret(transaction, random);
  return `${text}.${signatureOf(text, secret).toString("base64url")}`;
}

/** The component whose files it lets add to; null for a token that does not hold, or no longer. */
export function componentOfUpload(transaction: Transaction, token: string): string | null {
  const [text = "", signature = ""] = token.split(".");
  const secret = transaction.peek(UPLOAD_SECRET_KEY);
  if (secret === undefined) return null;
  const given = Buffer.from(signature, "base64url");
  const wanted = signatureOf(text, secret);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
  const { componentPath, until } = JSON.parse(
    Buffer.from(text, "base64url").toString("utf8"),
  ) as Grant;
  return transaction.now <= until ? componentPath : null;
}

function newSecret(transaction: Transaction, random: RandomBytes): string {
  const secret = Buffer.from(random(SECRET_BYTES)).toString("hex");
  transaction.put(UPLOAD_SECRET_KEY, secret);
  return secret;
}

function signatureOf(text: string, secret: string): Buffer {
  return createHmac("sha256", Buffer.from(secret, "hex")).update(text).digest();
}
