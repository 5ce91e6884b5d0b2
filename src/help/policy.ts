/**
 * Owns: a page's Content-Security-Policy as far as it decides over Footfall, and what must be added to it.
 * Not: whether it lets Footfall through, which a real browser says (policy-frame.ts).
 */

/** Only these decide; the rest (sandbox, trusted types, reports) would disturb the trial. */
const DECIDING = new Set(["default-src", "script-src", "script-src-elem", "connect-src"]);

export type Refused = "script" | "connection";

type Directive = readonly [name: string, ...sources: string[]];

/** Takes the value of the header, or the whole line. Of a name that comes twice the first counts, as in a browser. */
function directivesOf(policy: string): Directive[] {
  const seen = new Set<string>();
  return policy
    .replace(/^\s*content-security-policy(-report-only)?\s*:/i, "")
    .split(/[;\n]/)
    .flatMap((text): Directive[] => {
      const [first = "", ...sources] = text.trim().split(/\s+/);
      const name = first.toLowerCase();
      if (name === "" || seen.has(name)) return [];
      seen.add(name);
      return [[name, ...sources]];
    });
}

const textOf = (directives: readonly Directive[]) =>
  directives.map((directive) => directive.join(" ")).join("; ");

/** Each request of the trial is of this page, so "self" must be spelled out as the page that the policy is for. */
export function trialPolicy(policy: string, pageOrigin: string): string {
  const deciding = directivesOf(policy).filter(([name]) => DECIDING.has(name));
  return textOf(
    deciding.map(([name, ...sources]): Directive => [
      name,
      ...sources.map((source) => (source.toLowerCase() === "'self'" ? pageOrigin : source)),
    ]),
  );
}

/** The nonce with which the page marks its scripts; undefined without one. */
export function nonceIn(policy: string): string | undefined {
  return /'nonce-([^'\s]+)'/i.exec(policy)?.[1];
}

/** The policy with what lets Footfall through, or the two lines of it where the page has none. */
export function mendedPolicy(policy: string, refused: readonly Refused[], origin: string): string {
  let directives = directivesOf(policy);
  for (const what of refused) directives = allowing(directives, namesFor(what), origin);
  return textOf(directives);
}

/** From the one that decides to what stands in where it is missing. */
function namesFor(what: Refused): readonly string[] {
  return what === "script" ? ["script-src-elem", "script-src"] : ["connect-src"];
}

function allowing(
  directives: readonly Directive[],
  names: readonly string[],
  origin: string,
): Directive[] {
  const had = names.find((name) => directives.some(([other]) => other === name));
  if (had === undefined) {
    const [, ...inherited] = directives.find(([name]) => name === "default-src") ?? ["", "'self'"];
    const name = names[names.length - 1] ?? "connect-src";
    return [...directives, [name, ...withoutNone(inherited), origin]];
  }
  return directives.map(([name, ...sources]): Directive =>
    name === had ? [name, ...withoutNone(sources), origin] : [name, ...sources],
  );
}

/** 'none' beside anything else means nothing, and a browser warns of it. */
const withoutNone = (sources: readonly string[]) =>
  sources.filter((source) => source.toLowerCase() !== "'none'");

/** The origin of what somebody typed as the address of a page; null when it is none. */
export function originOf(address: string): string | null {
  const text = address.trim();
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `https://${text}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null;
}
