/** Owns: a number that a site may not measure: then a dash, because 0 would be a claim. Not: why (texts.ts). */
import { UNDEFINED_MARK } from "./formats.ts";
import { RollingNumber } from "./RollingNumber.tsx";

export function MeasuredNumber({ value }: { value: number | null }) {
  return value === null ? UNDEFINED_MARK : <RollingNumber value={value} />;
}
