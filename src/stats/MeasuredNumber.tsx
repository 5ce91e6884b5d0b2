/** Owns: a number that a site may not measure: then a dash, because 0 would be a claim. Not: why (texts.ts). */
import { RollingNumber } from "./RollingNumber.tsx";
import { texts } from "./texts.ts";

export function MeasuredNumber({ value }: { value: number | null }) {
  return value === null ? texts.notMeasured : <RollingNumber value={value} />;
}
