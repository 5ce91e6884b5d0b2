/**
 * Owns: which tracker an event goes to, and events that come right before it: a component's effects run before those
 * of the components around it, so a page can make an event before anything follows it. They wait for as long as that
 * takes and no longer: what somebody did before they agreed to be counted is not sent when they do.
 * Not: what a tracker does with it (hook-tracker.ts).
 */
import { MAX_WAITING_EVENTS, type TrackEvent } from "./events.ts";

/** Whose an event is: of that client and that site, or, where one is not named, of whichever is followed. */
export type EventAddress<Client> = { client?: Client | undefined; site?: string | undefined };

type Event = Parameters<TrackEvent>;
type Lane<Client> = { client: Client; site: string | undefined; sendEvent: TrackEvent };

/** A page that is being put together is followed by then. */
export const WAITS_MS = 500;

/** `now`: milliseconds since whenever. */
export function createEventLanes<Client>(now: () => number) {
  const lanes: Lane<Client>[] = [];
  let waiting: { address: EventAddress<Client>; event: Event; at: number }[] = [];

  const fresh = () => waiting.filter(({ at }) => now() - at <= WAITS_MS);

  const fits = (lane: Lane<Client>, { client, site }: EventAddress<Client>) =>
    (client === undefined || client === lane.client) && (site === undefined || site === lane.site);

  function send(address: EventAddress<Client>, event: Event) {
    const lane = lanes.find((lane) => fits(lane, address));
    if (lane) return lane.sendEvent(...event);
    waiting = fresh();
    if (waiting.length < MAX_WAITING_EVENTS) waiting.push({ address, event, at: now() });
  }

  return {
    send,
    /** A page is followed until what is returned is called. */
    open(lane: Lane<Client>): () => void {
      lanes.push(lane);
      const held = fresh();
      waiting = held.filter(({ address }) => !fits(lane, address));
      for (const { address, event } of held) if (fits(lane, address)) lane.sendEvent(...event);
      return () => {
        lanes.splice(lanes.indexOf(lane), 1);
      };
    },
  };
}
