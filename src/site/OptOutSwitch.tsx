/** Owns: the reader's switch for not being counted. Not: what the switch does (src/tracking). */
import { useState } from "react";
import { isOptedOut, optIn, optOut } from "../tracking/index.ts";
import { texts } from "./texts.ts";

type Choice = "counted" | "notCounted" | "notKept";

export function OptOutSwitch() {
  const [choice, setChoice] = useState<Choice>(() => (isOptedOut() ? "notCounted" : "counted"));
  const { optOut: words } = texts;
  const change = () => {
    if (choice !== "counted") {
      optIn();
      setChoice("counted");
      return;
    }
    setChoice(optOut() ? "notCounted" : "notKept");
  };
  return (
    <section className="opt-out" aria-labelledby="opt-out">
      <h2 id="opt-out">{words.heading}</h2>
      <p role="status">{words.state[choice]}</p>
      <button type="button" className="button" onClick={change}>
        {choice === "counted" ? words.stop : words.resume}
      </button>
    </section>
  );
}
