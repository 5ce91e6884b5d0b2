/**
 * Owns: events of a page, which wait until the page has been seen: before its first view there is nobody to count.
 * Not: how they are sent (script.ts, hook-tracker.ts), and what happens (parts/, the page itself).
 */

/** Kept as texts; the server has the bounds (at most 30, texts of 300 characters). */
export type EventProperties = Readonly<Record<string, string | number | boolean>>;

export type EventOptions = {
  /** False: it happened without the visitor's doing, so it neither ends a bounce nor extends the visit. */
  readonly interactive?: boolean | undefined;
};

export type TrackEvent = (
  name: string,
  properties?: EventProperties,
  options?: EventOptions,
) => void;

export type EventMessage = {
  kind: "event";
  path: string;
  name: string;
  properties: EventProperties | undefined;
  /** True when absent. */
  interactive: boolean | undefined;
  /** An event that is sent again counts once. */
  eventId: string;
};

/** Events that wait for the first view. A page that nobody looks at may make them for ever. */
export const MAX_WAITING_EVENTS = 20;

export type EventsParts = {
  currentPath: () => string;
  hasOptedOut: () => unknown;
  newId: () => string;
  send: (message: EventMessage) => void;
};

export type PageEvents = {
  sendEvent: TrackEvent;
  /** A view has been sent. */
  pageSeen: () => void;
};

export function createEvents({ currentPath, hasOptedOut, newId, send }: EventsParts): PageEvents {
  let waiting: EventMessage[] | undefined = [];

  const sendEvent: TrackEvent = (name, properties, options) => {
    if (hasOptedOut()) return;
    const message: EventMessage = {
      kind: "event",
      path: currentPath(),
      name,
      properties,
      interactive: options?.interactive,
      eventId: newId(),
    };
    if (!waiting) send(message);
    else if (waiting.length < MAX_WAITING_EVENTS) waiting.push(message);
  };

  return {
    sendEvent,
    pageSeen() {
      const held = waiting;
      waiting = undefined;
      held?.forEach(send);
    },
  };
}
