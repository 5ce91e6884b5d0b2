/** Owns: the text of the live region over time. Not: the rule (announcements.ts). */
import { useEffect, useRef, useState } from "react";
import { decideAnnouncement, NOTHING_SPOKEN } from "./announcements.ts";

/** What the live region holds: empty at first, then `text`, and from then on its changes at the region's pace. */
export function useAnnouncement(text: string): string {
  const [announced, setAnnounced] = useState("");
  const spoken = useRef(NOTHING_SPOKEN);
  useEffect(() => {
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
