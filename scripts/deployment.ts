/**
 * Owns: which deployment a script talks to, and calling one of its functions with the admin key.
 * Not: what is called (sync-content.ts, sites.ts).
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { ROOT } from "./checkout.ts";

/** Where a deployment's API answers and the key that opens its internal functions. */
export type Deployment = { readonly url: string; readonly adminKey: string };

/** What the function answered, or its own words about why not. */
export type Answer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

type Named = { url?: string | undefined; "admin-key"?: string | undefined };

/** The one that the command line names, else the shell, else `.env.local`, where a running engine writes its own; null when none does. */
export function namedDeployment(options: Named): Deployment | null {
  const path = process.env.FOOTFALL_ENV_FILE ?? join(ROOT, ".env.local");
  const file = existsSync(path) ? parseEnv(readFileSync(path, "utf8")) : {};
  const variables = { ...file, ...process.env };
  const url = options.url ?? (variables.CONVEX_SELF_HOSTED_URL || variables.CONVEX_URL);
  const adminKey =
    options["admin-key"] ?? (variables.CONVEX_SELF_HOSTED_ADMIN_KEY || variables.CONVEX_DEPLOY_KEY);
  return url && adminKey ? { url, adminKey } : null;
}

export const WHICH_DEPLOYMENT =
  "Which deployment? Run npm start beside this, or give --url and --admin-key, or set CONVEX_SELF_HOSTED_URL and CONVEX_SELF_HOSTED_ADMIN_KEY.";

/** `path` as in `sites:list`. Throws when nobody answers there. */
export async function callFunction(
  { url, adminKey }: Deployment,
  path: string,
  args: object,
): Promise<Answer> {
  const response = await fetch(new URL("/api/function", url), {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Convex ${adminKey}` },
    body: JSON.stringify({ path, args, format: "json" }),
  });
  const text = await response.text();
  const answer = parseObject(text);
  if (answer?.status === "success") return { ok: true, value: answer.value };
  const data = answer?.errorData;
  const isCoded = typeof data === "object" && data !== null && "message" in data;
  const message = isCoded ? String(data.message) : `${response.status}, ${text.slice(0, 500)}`;
  return { ok: false, message };
}

/** A function that fails answers with a JSON body too; only its status field tells. */
function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
