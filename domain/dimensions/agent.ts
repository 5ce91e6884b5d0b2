/**
 * Owns: browser, system and device class of a user agent.
 * Not: whether it is a bot; that is decided before.
 */
import Bowser from "bowser";
import { MAX_USER_AGENT_LENGTH } from "../limits.ts";
import { dimensionValue } from "./value.ts";

/** Each "" when the user agent does not say. */
export interface Agent {
  browser: string;
  /** With the name, because 17 alone says nothing: "Safari 17". Major versions only: more tells people apart. */
  browserVersion: string;
  system: string;
  /** "iOS 17"; "Windows 10+" where browsers stopped telling later ones apart. */
  systemVersion: string;
  device: DeviceClass | "";
}

export const DEVICE_CLASSES = ["desktop", "mobile", "tablet", "tv"] as const;
export type DeviceClass = (typeof DEVICE_CLASSES)[number];

const UNKNOWN: Agent = {
  browser: "",
  browserVersion: "",
  system: "",
  systemVersion: "",
  device: "",
};

/** A site's visitors share a few hundred user agents, and to read one takes longer than to count its view. */
const MAX_REMEMBERED_AGENTS = 500;
const remembered = new Map<string, Agent>();

export function readAgent(userAgent: string): Agent {
  const text = userAgent.slice(0, MAX_USER_AGENT_LENGTH).trim();
  if (text === "") return UNKNOWN;
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const agent = Object.freeze(parseAgent(text));
  if (remembered.size >= MAX_REMEMBERED_AGENTS) remembered.clear();
  remembered.set(text, agent);
  return agent;
}

function parseAgent(text: string): Agent {
  const { browser, os, platform } = Bowser.parse(text);
  const name = dimensionValue(browser.name ?? "");
  const system = dimensionValue(os.name ?? "");
  const version = majorOf(browser.version);
  return {
    browser: name,
    browserVersion: dimensionValue(`${name} ${version}`),
    system,
    systemVersion: dimensionValue(`${system} ${systemVersionOf(system, os, text)}`),
    device: DEVICE_CLASSES.find((device) => device === platform.type) ?? "",
  };
}

/**
 * Browsers send a fixed version for privacy: Windows 11 says NT 10.0, every macOS since 10.15 says 10.15, and
 * Chrome on Android says "Android 10; K". Such a version is a lower bound.
 */
function systemVersionOf(
  system: string,
  { version, versionName }: { version?: string | undefined; versionName?: string | undefined },
  userAgent: string,
): string {
  switch (system) {
    case "Windows":
      return version === "NT 10.0" ? "10+" : (versionName ?? "");
    case "macOS":
      return /^10\.15(\.7)?$/.test(version ?? "") ? "10.15+" : macOsVersion(version);
    case "Android":
      return /Android 10; K\)/.test(userAgent) ? "10+" : majorOf(version);
    default:
      return majorOf(version);
  }
}

/** Up to 10.15 the second number told versions apart. */
function macOsVersion(version: string | undefined): string {
  return /^10\.\d+/.exec(version ?? "")?.[0] ?? majorOf(version);
}

function majorOf(version: string | undefined): string {
  return /^\d+/.exec(version ?? "")?.[0] ?? "";
}
