/** Owns: rows that glide to their new place when the order changes. Not: the order. */
import { useLayoutEffect, useRef, type RefObject } from "react";

/** The same as --move and --ease in tokens.css. */
const MOVE = { duration: 320, easing: "cubic-bezier(0.2, 0, 0.2, 1)" } as const;

const prefersReducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Rows are the children of `container` that carry data-row, a key that stays with the row. `rows` is what they are
 * made of: places are compared when it changes. Places are relative to the container, so that scrolling is no move.
 */
export function useRowMotion(container: RefObject<HTMLElement | null>, rows: unknown): void {
  const places = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const before = places.current;
    const after = new Map<string, number>();
    for (const row of container.current?.querySelectorAll<HTMLElement>("[data-row]") ?? []) {
      const key = row.dataset.row ?? "";
      after.set(key, row.offsetTop);
      const movedPx = (before.get(key) ?? row.offsetTop) - row.offsetTop;
      if (movedPx === 0 || prefersReducedMotion()) continue;
      row.animate([{ transform: `translateY(${movedPx}px)` }, { transform: "none" }], MOVE);
    }
    places.current = after;
  }, [container, rows]);
}
