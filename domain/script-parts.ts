/**
 * Owns: the parts of the script tag that a page can ask for, by name, and how they become one file with it.
 * Not: what they do (src/tracking/parts/), and how their texts are made (scripts/tracking-script.ts).
 */

/** In the order in which they are put together: a download is no outbound link too, and vitals speak before the report. */
export const SCRIPT_PARTS = [
  "downloads",
  "outbound",
  "forms",
  "404",
  "tagged",
  "vitals",
  "human",
  "engagement",
  "optout",
] as const;

export type ScriptPart = (typeof SCRIPT_PARTS)[number];

/** What these say is a field of another part's report. */
const NEEDS: Partial<Record<string, ScriptPart>> = { vitals: "engagement", human: "engagement" };

/** The core alone: for whoever counts bytes more than tabs and tunnels. */
const CORE_ALONE = "none";

/** Says nothing of what was asked for: an address is not to be read back as a script. */
const UNKNOWN_PART = `console.warn("Footfall: a name in ?parts= of the script's address is no part of it; it does without.");`;

type AskedParts = {
  parts: ScriptPart[];
  /** Whether each name was one. */
  areKnown: boolean;
};

export type ScriptTexts = {
  core: string;
  whole: string;
  /** The whole that calls PARTS. */
  open: string;
  /** Functions that take what PARTS is called with. */
  parts: Record<ScriptPart, string>;
};

/** What `parts` asks for: names in any order, between blanks or commas, each as often as one likes. */
export function partsOf(asked: string): AskedParts {
  const names = asked.split(/[\s,]+/).filter((name) => name !== "");
  const needed = new Set<string | undefined>(names.flatMap((name) => [name, NEEDS[name]]));
  const known = new Set<string>(SCRIPT_PARTS);
  return {
    parts: SCRIPT_PARTS.filter((part) => needed.has(part)),
    areKnown: names.every((name) => known.has(name)),
  };
}

/** The one file that is served for what an address says in `parts`: the same for the same parts, however they are written. */
export function textOf(asked: string, texts: ScriptTexts): string {
  if (asked === CORE_ALONE) return texts.core;
  const { parts, areKnown } = partsOf(asked);
  const calls = parts.map((part) => `${texts.parts[part]}(c);`);
  const text =
    parts.length === 0
      ? texts.whole
      : texts.open.replace("PARTS", () => `(c=>{${calls.join("")}})`);
  return areKnown ? text : text + UNKNOWN_PART;
}
