/** Owns: copying a block of code. Not: the code. */
import { useEffect, useState } from "react";
import { texts } from "./texts.ts";

/** How long the button says that it has copied. */
const THANKS_MS = 2_000;

/** Absent where the browser offers no clipboard, as on a plain http address other than localhost. */
export function CopyButton({ textOf }: { textOf: () => string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), THANKS_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  if (!("clipboard" in navigator)) return null;
  const copy = () => {
    navigator.clipboard.writeText(textOf()).then(
      () => setCopied(true),
      (refusal: unknown) => console.warn("Footfall: the browser did not allow copying.", refusal),
    );
  };
  return (
    <button type="button" className="copy-button" onClick={copy}>
      <span aria-live="polite">{copied ? texts.copy.done : texts.copy.idle}</span>
    </button>
  );
}
