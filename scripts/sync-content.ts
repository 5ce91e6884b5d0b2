/**
 * Owns: bringing content/ into a deployment. Not: reading it (read-content.ts), or what changes (convex/content.ts).
 *
 *   node scripts/sync-content.ts --url http://localhost:4000 --admin-key …
 *
 * Without arguments it uses CONVEX_SELF_HOSTED_URL and CONVEX_SELF_HOSTED_ADMIN_KEY.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readContent } from "./read-content.ts";

/** Where a deployment's API answers and the key that opens its internal functions. */
export type Deployment = { readonly url: string; readonly adminKey: string };

const CONTENT_FOLDER = fileURLToPath(new URL("../content", import.meta.url));

/** Idempotent: a second call with the same files writes nothing. Throws with the deployment's own words. */
export async function syncContent({ url, adminKey }: Deployment): Promise<void> {
  const content = await readContent(CONTENT_FOLDER);
  const response = await fetch(new URL("/api/function", url), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Convex ${adminKey}` },
    body: JSON.stringify({ path: "content:sync", args: content, format: "json" }),
  });
  const text = await response.text();
  if (!hasSucceeded(text)) {
    throw new Error(
      `The content could not be synced: ${url} answered ${response.status}, ${text.slice(0, 500)}`,
    );
  }
}

/** A function that fails answers with a JSON body too; only its status field tells. */
function hasSucceeded(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return (
      typeof answer === "object" &&
      answer !== null &&
      "status" in answer &&
      answer.status === "success"
    );
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { url: { type: "string" }, "admin-key": { type: "string" } },
  });
  const url = values.url ?? process.env.CONVEX_SELF_HOSTED_URL;
  const adminKey = values["admin-key"] ?? process.env.CONVEX_SELF_HOSTED_ADMIN_KEY;
  if (url === undefined || adminKey === undefined) {
    throw new Error(
      "Which deployment? Give --url and --admin-key, or set CONVEX_SELF_HOSTED_URL and CONVEX_SELF_HOSTED_ADMIN_KEY.",
    );
  }
  await syncContent({ url, adminKey });
  console.log(`The content of ${url} is that of content/.`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
