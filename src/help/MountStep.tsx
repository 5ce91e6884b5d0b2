/** Owns: the step whether one page load makes one visitor, live. Not: telling it from arrivals (twice.ts). */
import { useQuery_experimental as useQueryState } from "convex/react";
import { useState } from "react";
import { api } from "../../convex/_generated/api.js";
import type { ReaderArguments } from "../stats/readerToken.ts";
import { Code, Fix, Step, type StepState } from "./Step.tsx";
import { texts } from "./texts.ts";
import { mountingOf, type Mounting } from "./twice.ts";
import { OWN_PATHS } from "./ViewStep.tsx";

/** In the console of a page: which tags of the script it has. */
const CONSOLE =
  "console.table([...document.scripts].filter((s) => /\\/s\\.js/.test(s.src)).map((s) => s.src));";

function verdictOf(mounting: Mounting): { state: StepState; verdict: string } {
  const words = texts.mount;
  switch (mounting.kind) {
    case "waiting":
      return { state: "waiting", verdict: words.waiting };
    case "once":
      return { state: "done", verdict: words.once(mounting.path) };
    case "twice":
      return { state: "failed", verdict: words.twice(mounting.path) };
  }
  return mounting satisfies never;
}

/** Undefined while unknown, null where the site tells nobody apart. Arrivals that the first answer had say nothing. */
function useMounting(reader: ReaderArguments): Mounting | null | undefined {
  const answer = useQueryState({ query: api.now.movements, args: reader });
  const [since, setSince] = useState<number | null>(null);
  const all = answer.status === "success" ? answer.data : undefined;
  if (all === undefined || all === null) return all;
  const isOwnSite = reader.site === undefined;
  const arrivals = all.filter(({ path }) => !(isOwnSite && OWN_PATHS.includes(path)));
  const newest = arrivals.reduce((latest, { at }) => Math.max(latest, at), 0);
  if (since === null) setSince(newest + 1);
  return mountingOf(arrivals, since ?? newest + 1);
}

export function MountStep({ reader }: { reader: ReaderArguments }) {
  const mounting = useMounting(reader);
  const words = texts.mount;
  const { state, verdict }: { state: StepState; verdict: string } =
    mounting === undefined
      ? { state: "waiting", verdict: texts.notYet }
      : mounting === null
        ? { state: "waiting", verdict: words.nobody }
        : verdictOf(mounting);
  return (
    <Step
      name="mount"
      title={words.title}
      state={state}
      verdict={verdict}
      fix={
        state === "failed" && (
          <Fix>
            <p>{words.fix}</p>
            <Code label={words.fix}>{CONSOLE}</Code>
          </Fix>
        )
      }
    >
      <p>{words.explain}</p>
    </Step>
  );
}
