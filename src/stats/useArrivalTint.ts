/** Owns: the tint of a row at which somebody has just arrived. Not: who arrived. */
import { useEffect, useRef, type RefObject } from "react";

/** The same as --fade in tokens.css. */
const FADE = { duration: 1_200, easing: "cubic-bezier(0.2, 0, 0.2, 1)" } as const;

/** Tints the row when `views` grows, and lets the tint fade. */
export function useArrivalTint(row: RefObject<HTMLElement | null>, views: number): void {
  const before = useRef(views);
  useEffect(() => {
    const grew = views > before.current;
    before.current = views;
    if (!grew || window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    row.current?.animate(
      [{ backgroundColor: "var(--live-tint)" }, { backgroundColor: "transparent" }],
      FADE,
    );
  }, [row, views]);
}
