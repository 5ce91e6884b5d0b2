/** Owns: one step of the set-up: its number, how its check stands, what to copy, and the fix. Not: any check. */
import type { ReactNode } from "react";
import { CopyButton } from "../site/CopyButton.tsx";
import { texts } from "./texts.ts";

export type StepState = keyof typeof texts.states;

type Props = {
  name: string;
  title: string;
  state: StepState;
  /** What the check says, in a sentence; read out when it changes. */
  verdict: string;
  children: ReactNode;
  /** Beneath the verdict: what to do when it is not a good one. */
  fix?: ReactNode;
};

export function Step({ name, title, state, verdict, children, fix }: Props) {
  const id = `help-${name}`;
  return (
    <li className="help-step" data-step={name} data-state={state} aria-labelledby={id}>
      <div className="help-step-head">
        <h2 id={id}>{title}</h2>
        <span className="help-state">{texts.states[state]}</span>
      </div>
      {children}
      <p className="help-verdict" role="status">
        {verdict}
      </p>
      {fix}
    </li>
  );
}

export function Code({ label, children }: { label: string; children: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{children}</code>
      </pre>
      <CopyButton textOf={() => children} />
    </div>
  );
}

export function Fix({ children }: { children: ReactNode }) {
  return (
    <div className="help-fix">
      <h3>{texts.fix}</h3>
      {children}
    </div>
  );
}

export function Again({ again }: { again: () => void }) {
  return (
    <button type="button" className="button" onClick={again}>
      {texts.again}
    </button>
  );
}
