/** Owns: the step whether a view has arrived, live. Not: counting it. */
import type { Answer } from "../stats/useStats.ts";
import { failureOf } from "../stats/failures.ts";
import { Code, Fix, Step } from "./Step.tsx";
import { texts } from "./texts.ts";

type Seen = { readonly path: string; readonly views: number };

/** Pages that count because somebody looks at the numbers prove nothing of the site. */
export const OWN_PATHS: readonly string[] = ["/help", "/stats"];

/** Of the site's pages but those that one opens to see whether it counts. */
function pagesSeen(answer: Answer, isOwnSite: boolean): Seen[] {
  if (answer.kind !== "ready") return [];
  return answer.stats.pageStats.filter(
    ({ path, views }) => views > 0 && !(isOwnSite && OWN_PATHS.includes(path)),
  );
}

function verdictOf(answer: Answer, seen: readonly Seen[]): string {
  if (answer.kind === "failed") return failureOf(answer.error).message;
  if (answer.kind === "loading") return texts.notYet;
  const views = seen.reduce((sum, page) => sum + page.views, 0);
  return views === 0 ? texts.view.waiting : texts.view.done(views.toLocaleString());
}

export function ViewStep({ answer, isOwnSite }: { answer: Answer; isOwnSite: boolean }) {
  const words = texts.view;
  const seen = pagesSeen(answer, isOwnSite);
  const state =
    answer.kind === "failed" ? "failed" : seen.length > 0 ? ("done" as const) : "waiting";
  return (
    <Step
      name="view"
      title={words.title}
      state={state}
      verdict={verdictOf(answer, seen)}
      fix={
        state === "waiting" &&
        answer.kind === "ready" && (
          <Fix>
            <ul>
              {words.fix.map((sentence, place) => (
                <li key={sentence}>
                  {sentence}
                  {place === 1 && <Code label={sentence}>npm run sites -- unknown</Code>}
                </li>
              ))}
            </ul>
          </Fix>
        )
      }
    >
      <p>{words.explain}</p>
    </Step>
  );
}
