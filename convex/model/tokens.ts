/**
 * Owns: what an operator asks of a new token: until when it reads, and with which password.
 * Not: making it (keys.ts), or getting in with the password (unlocking.ts).
 */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import type { ActionCtx, MutationCtx } from "../_generated/server.js";
import { callerError, quoted } from "../errors.ts";
import * as segments from "./filters/segments.ts";
import * as keys from "./keys.ts";
import { keptPassword } from "./passwords.ts";
import { readSite } from "./sites.ts";
import { forgetUnlocked } from "./unlocking.ts";

/** Ten years; what should never end says no days. */
const MAX_TOKEN_DAYS = 3_650;

/** UTF-16 units. A guess costs a fifth of a second, and there are five a minute. */
const MIN_PASSWORD_LENGTH = 8;
const MAX_NEW_PASSWORD_LENGTH = 128;

type Asked = {
  site?: string;
  name?: string;
  days?: number;
  password?: string;
  segment?: string;
};

/** Throws `unknown_site` or `invalid_key`. */
export async function createToken(
  ctx: ActionCtx,
  { days, password, ...asked }: Asked,
): Promise<{ id: string; key: string }> {
  return await keys.create(ctx, {
    ...asked,
    kind: "read",
    ...(days === undefined ? {} : { expiresAt: Date.now() + accepted(days) * DAY_MS }),
    ...(password === undefined ? {} : { password: await keptPassword(acceptable(password)) }),
  });
}

/** With all that was got for it. Throws `unknown_site` or `invalid_key`. */
export async function revokeToken(
  ctx: MutationCtx,
  args: { site?: string; id: string },
): Promise<null> {
  await keys.revoke(ctx, { ...args, kind: "read" });
  await forgetUnlocked(ctx, args.id);
  return null;
}

/** A segment goes, and with it whatever shows it alone. Whether there was one. Throws `unknown_site`. */
export async function removeSegment(
  ctx: MutationCtx,
  args: { site?: string; name: string },
): Promise<boolean> {
  const { slug } = await readSite(ctx, args.site);
  const wasThere = await segments.removeSegment(ctx, args);
  for (const keyId of await keys.revokeTokensOf(ctx, slug, args.name)) {
    await forgetUnlocked(ctx, keyId);
  }
  return wasThere;
}

function accepted(days: number): number {
  if (days > 0 && days <= MAX_TOKEN_DAYS) return days;
  throw callerError(
    "invalid_key",
    `A token ends after some days: got ${quoted(days)}, wanted a number above 0 and at most ${MAX_TOKEN_DAYS}. Leave it out for one that does not end.`,
  );
}

function acceptable(password: string): string {
  const { length } = password;
  if (length >= MIN_PASSWORD_LENGTH && length <= MAX_NEW_PASSWORD_LENGTH) return password;
  throw callerError(
    "invalid_key",
    `A password has ${MIN_PASSWORD_LENGTH} to ${MAX_NEW_PASSWORD_LENGTH} characters; this one has ${length}.`,
  );
}
