/** Owns: the step whether a page's Content-Security-Policy lets Footfall through. Not: trying it (policy-frame.ts). */
import { useState, type FormEvent } from "react";
import { mendedPolicy, nonceIn, originOf, trialPolicy, type Refused } from "./policy.ts";
import { tryPolicy } from "./policy-frame.ts";
import { Code, Fix, Step, type StepState } from "./Step.tsx";
import { texts } from "./texts.ts";

type Tried = {
  readonly kind: "tried";
  readonly policy: string;
  readonly refused: readonly Refused[];
};

type Trial =
  | { readonly kind: "none" | "checking" | "invalid" }
  | Tried
  | { readonly kind: "broken"; readonly message: string };

const STATE_BEFORE_A_TRIAL: Readonly<Record<Exclude<Trial["kind"], "tried">, StepState>> = {
  ...{ none: "waiting", checking: "checking", invalid: "failed", broken: "failed" },
};

function verdictOf(trial: Trial): string {
  const words = texts.policy;
  switch (trial.kind) {
    case "none":
      return words.waiting;
    case "checking":
      return "";
    case "invalid":
      return words.invalidPage;
    case "broken":
      return words.broken(trial.message);
    case "tried":
      return trial.refused.length === 0
        ? words.allowed
        : trial.refused.map((what) => words.refused[what]).join(" ");
  }
  return trial satisfies never;
}

function stateOf(trial: Trial): StepState {
  if (trial.kind !== "tried") return STATE_BEFORE_A_TRIAL[trial.kind];
  return trial.refused.length === 0 ? "done" : "failed";
}

function usePolicyTrial(origin: string) {
  const [trial, setTrial] = useState<Trial>({ kind: "none" });
  const start = (page: string, policy: string) => {
    const pageOrigin = originOf(page);
    if (pageOrigin === null) return setTrial({ kind: "invalid" });
    setTrial({ kind: "checking" });
    const asked = { policy: trialPolicy(policy, pageOrigin), nonce: nonceIn(policy), origin };
    tryPolicy(asked).then(
      (refused) => setTrial({ kind: "tried", policy, refused }),
      (error: unknown) =>
        setTrial({
          kind: "broken",
          message: error instanceof Error ? error.message : String(error),
        }),
    );
  };
  return { trial, start };
}

function PolicyForm({ start }: { start: (page: string, policy: string) => void }) {
  const [page, setPage] = useState("");
  const [policy, setPolicy] = useState("");
  const words = texts.policy;
  const send = (event: FormEvent) => {
    event.preventDefault();
    start(page, policy);
  };
  return (
    <form className="help-form" onSubmit={send}>
      <label>
        {words.page}
        <input
          type="text"
          inputMode="url"
          placeholder="https://blog.example"
          required
          value={page}
          onChange={({ target }) => setPage(target.value)}
        />
      </label>
      <label>
        {words.policy}
        <textarea
          rows={3}
          placeholder="default-src 'self'; …"
          spellCheck={false}
          required
          value={policy}
          onChange={({ target }) => setPolicy(target.value)}
        />
      </label>
      <button type="submit" className="button">
        {words.check}
      </button>
    </form>
  );
}

function PolicyFix({ trial, origin }: { trial: Tried; origin: string }) {
  const { policy, refused } = trial;
  const words = texts.policy;
  const hasNonce = nonceIn(policy) !== undefined;
  if (refused.length === 0) return hasNonce && <p>{words.nonce}</p>;
  return (
    <Fix>
      <p>{words.fix}</p>
      <Code label={words.fix}>{mendedPolicy(policy, refused, origin)}</Code>
      {hasNonce && <p>{words.nonce}</p>}
    </Fix>
  );
}

export function PolicyStep({ origin }: { origin: string }) {
  const { trial, start } = usePolicyTrial(origin);
  const words = texts.policy;
  const needs = mendedPolicy("", ["script", "connection"], origin);
  return (
    <Step
      name="policy"
      title={words.title}
      state={stateOf(trial)}
      verdict={verdictOf(trial)}
      fix={trial.kind === "tried" && <PolicyFix trial={trial} origin={origin} />}
    >
      <p>{words.explain}</p>
      <p>{words.needs}</p>
      <Code label={words.needs}>{needs}</Code>
      <PolicyForm start={start} />
    </Step>
  );
}
