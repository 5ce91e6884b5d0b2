/**
 * Owns: the admin key: its form, making one, comparing one. Whoever has it can run code here.
 * Not: where it is kept (server/admin-key-file.ts).
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The CLI and the dashboard take what is before the bar for the deployment's name. */
const KEY_FORM = /^footfall\|[0-9a-f]{64}$/;

export function createAdminKey(): string {
  return `footfall|${randomBytes(32).toString("hex")}`;
}

export function isAdminKeyForm(text: string): boolean {
  return KEY_FORM.test(text);
}

/** In constant time, whatever the length of what was offered. */
export function isSameKey(offered: string, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(offered), digest(key));
}
