/** Owns: whether the page shows one segment alone: then what is told of the whole site only is not asked for. Not: deciding it (convex/readers.ts). */
import { createContext, useContext } from "react";

export const SegmentAlone = createContext(false);

export function useIsSegmentAlone(): boolean {
  return useContext(SegmentAlone);
}
