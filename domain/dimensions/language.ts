/**
 * Owns: the one form of a language tag.
 * Not: its name in a report; the reader's browser knows it (`Intl.DisplayNames`).
 */

/** Language, perhaps script, perhaps region; extensions and private parts only tell people apart. */
const TAG = /^([a-z]{2,3})([-_][a-z]{4})?([-_](?:[a-z]{2}|\d{3}))?(?:[-_.@].*)?$/i;

/** Real tags are far shorter. */
const MAX_TAG_LENGTH = 64;

/** `en-US`, `zh-Hant-TW`, `es`; "" when it is no language. Takes `navigator.language`, or an Accept-Language header. */
export function readLanguage(text: string): string {
  const first = text.slice(0, MAX_TAG_LENGTH).split(/[,;]/, 1)[0] ?? "";
  const match = TAG.exec(first.trim());
  if (match === null) return "";
  const [, language = "", script = "", region = ""] = match;
  const parts = [
    language.toLowerCase(),
    script === "" ? "" : `${script.charAt(1).toUpperCase()}${script.slice(2).toLowerCase()}`,
    region.slice(1).toUpperCase(),
  ];
  return parts.filter((part) => part !== "").join("-");
}
