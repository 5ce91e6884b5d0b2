/** Owns: the text of the live region over time. Not: the rule (announcements.ts). */
import { useEffect, useRef, useState } from "react";
import { decideAnnouncement } from "./announcements.ts";

/** Empty until the first change that is due; the text that was there at first is not spoken. */
export function useAnnouncement(text: string): string {
  const [announced, setAnnounced] = useState("");
  const spoken = useRef<{ text: string; at: number } | null>(null);
  useEffect(() => {
    spoken.current ??= { text, at: Date.now() };
    const decision = decideAnnouncement(text, spoken.current, Date.now());
    if (decision.kind === "silent") return;
    const waitMs = decision.kind === "later" ? decision.waitMs : 0;
    const timer = setTimeout(() => {
      spoken.current = { text, at: Date.now() };
      setAnnounced(text);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [text]);
  return announced;
}
