/** Owns: asking for the password of a shared link. Not: what it opens (convex/model/unlocking.ts). */
import { useAction } from "convex/react";
import { useState } from "react";
import type { FormEvent } from "react";
import { api } from "../../convex/_generated/api.js";
import { failureOf } from "./failures.ts";
import { readWith, useReaderArguments } from "./readerToken.ts";
import { texts } from "./texts.ts";

export function PasswordPanel() {
  const unlock = useAction(api.tokens.unlock);
  const { token = "" } = useReaderArguments();
  const [password, setPassword] = useState("");
  const [state, setState] = useState<{ isBusy: boolean; refusal: string }>({
    ...{ isBusy: false, refusal: "" },
  });
  const { password: words } = texts;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setState({ isBusy: true, refusal: "" });
    unlock({ token, password }).then(
      (got) => readWith(got.token),
      (error: unknown) => {
        const failure = error instanceof Error ? error : new Error(String(error));
        setState({ isBusy: false, refusal: failureOf(failure).message });
      },
    );
  };
  return (
    <form className="password" onSubmit={send}>
      <h2>{words.heading}</h2>
      <label>
        {words.label}
        <input
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={state.isBusy}>
        {state.isBusy ? words.checking : words.open}
      </button>
      <p role="alert">{state.refusal}</p>
    </form>
  );
}
