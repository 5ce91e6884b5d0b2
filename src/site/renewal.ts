/** Owns: that a page which lacks a file of an older build is loaded anew once, and never in a loop. */

const KEY = "footfall_reloaded_at";

/** A second failure within this is no matter of an older build: then the page says what is wrong. */
export const RELOAD_AGAIN_AFTER_MS = 60_000;

/** Whether to reload now. Without storage that remembers it, never: it could go on for ever. */
export function claimReload(
  storage: () => Pick<Storage, "getItem" | "setItem">,
  now: number,
): boolean {
  try {
    const last = Number(storage().getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (now - last < RELOAD_AGAIN_AFTER_MS) return false;
    storage().setItem(KEY, String(now));
    return true;
  } catch (error) {
    console.debug("Footfall: storage refused to remember a reload, so there is none.", error);
    return false;
  }
}
