/**
 * Owns: clicks on links that lead to other hosts. Not: the navigation, which never waits for it.
 */
import { addressOf, CLICKS, linkOf } from "./links.ts";
import type { Part } from "./part.ts";

/** `www.` names the same site. */
const nameOf = (host: string) => host.replace(/^www\./, "");

export function isOwnHost(host: string, pageHost: string, ownHosts = ""): boolean {
  return `${pageHost} ${ownHosts}`.split(" ").some((own) => nameOf(own) === nameOf(host));
}

export const outbound: Part = (core) => {
  core.listen(CLICKS, (event) => {
    const link = linkOf(event);
    if (link && core.takenClick !== event && !isOwnHost(link.host, location.host, core.ownHosts))
      core.sendEvent("Outbound link", { url: addressOf(link) });
  });
};
