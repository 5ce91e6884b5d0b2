/**
 * Owns: clicks on links to files, on this host or another. Not: whether the file then arrives.
 */
import { addressOf, CLICKS, linkOf, type Link } from "./links.ts";
import type { Part } from "./part.ts";

/** How the names of files end that browsers save, or that are read outside of the site. A link with `download` is one anyway. */
const FILE =
  /\.(7z|apk|avi|csv|deb|dmg|docx?|epub|exe|gz|iso|key|midi?|mov|mp[34]|mpe?g|msi|odp|ods|odt|pdf|pkg|pps|pptx?|rar|rpm|rtf|tgz|txt|wav|wm[av]|xlsx?|zip)$/i;

export const isFile = ({ pathname }: Pick<Link, "pathname">) => FILE.test(pathname);

export const downloads: Part = (core) => {
  core.listen(CLICKS, (event) => {
    const link = linkOf(event);
    if (!link || !(link.hasAttribute("download") || isFile(link))) return;
    core.takenClick = event;
    core.sendEvent("File download", { url: addressOf(link) });
  });
};
