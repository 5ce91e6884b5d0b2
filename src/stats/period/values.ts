/** Owns: what a value of a dimension is called on screen. Not: how it is stored (domain/dimensions/). */
import { isScreenClass, screenLabel } from "../../../domain/dimensions/screen.ts";
import { texts } from "../texts.ts";
import type { ViewDimension } from "./address.ts";

const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const languages = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

/** Codes that are none stay as they are: they come from visitors. */
function named(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

export function valueLabel(dimension: ViewDimension, value: string): string {
  const { none, unknown, channels } = texts.period.values;
  switch (dimension) {
    case "source":
    case "referrer":
    case "referrerHost":
      return value === "" ? none.source : value;
    case "channel":
      return Object.hasOwn(channels, value) ? channels[value as keyof typeof channels] : value;
    case "country":
      return value === "" ? unknown : named(regions, value);
    case "language":
      return value === "" ? unknown : named(languages, value);
    case "screen":
      return isScreenClass(value) ? screenLabel(value) : unknown;
    case "utmSource":
    case "utmMedium":
    case "utmCampaign":
    case "utmTerm":
    case "utmContent":
      return value === "" ? none.tag : value;
    default:
      return value === "" ? unknown : value;
  }
}
