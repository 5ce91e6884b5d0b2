/**
 * Owns: the function `footfall` that the script gives to its page, and the calls that were made before it was there.
 * Not: what the commands do.
 *
 * A page that cannot wait for the script keeps its calls: `window.footfall ??= (...call) => (footfall.q ??= []).push(call)`.
 */
import type { TrackEvent } from "./events.ts";

/** What a page may ask for. The last two are a part (parts/opt-out.ts). */
export type Commands = {
  event: TrackEvent;
  /** This browser is not counted any more. */
  optout?: () => void;
  /** It is counted again, from its next view on. */
  optin?: () => void;
};

/** What is no command does nothing. */
export type PageApi = {
  (command: "event", ...event: Parameters<TrackEvent>): void;
  (command: "optout" | "optin"): void;
  /** Calls that the page's own stand-in has kept. */
  q?: KeptCall[];
};

type KeptCall = [command: keyof Commands, ...event: Parameters<TrackEvent>];

declare global {
  interface Window {
    footfall?: PageApi;
  }
}

export function offer(commands: Commands): void {
  const early = window.footfall?.q;
  const footfall = (...[command, ...event]: KeptCall) => commands[command]?.(...event);
  window.footfall = footfall as PageApi;
  early?.forEach((call) => footfall(...call));
}
