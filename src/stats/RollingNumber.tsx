/**
 * Owns: a number whose changed digits roll. Its text is always the new value, at once, in one piece.
 * Not: the number's size or place.
 */
import { useEffect, useState } from "react";
import { formatCount } from "./formats.ts";
import { rollDigits } from "./rollDigits.ts";

/** The same as --roll in tokens.css: afterwards the digits are plain text again. */
const ROLL_MS = 240;

type Change = { readonly is: number; readonly was: number | null };

export function RollingNumber({ value }: { value: number }) {
  const [change, setChange] = useState<Change>({ is: value, was: null });
  if (change.is !== value) setChange({ is: value, was: change.is });
  useEffect(() => {
    if (change.was === null) return;
    const timer = setTimeout(() => setChange({ is: change.is, was: null }), ROLL_MS);
    return () => clearTimeout(timer);
  }, [change]);
  if (change.was === null) return <>{formatCount(value)}</>;
  const direction = change.was < value ? "up" : "down";
  return (
    <span className="rolling" data-direction={direction}>
      {rollDigits(formatCount(change.was), formatCount(value)).map(({ is, was }, index) =>
        was === null ? (
          is
        ) : (
          <span key={index} className="rolling-digit" data-was={was}>
            <span>{is}</span>
          </span>
        ),
      )}
    </span>
  );
}
