/**
 * Owns: which tracker an event goes to, and events that come before it: a component's effects run before those of the
 * components around it, so a page can make an event before anything follows it.
 * Not: what a tracker does with it (hook-tracker.ts).
 */
import { MAX_WAITING_EVENTS, type TrackEvent } from "./events.ts";

/** Whose an event is: of that client and that site, or, where one is not named, of whichever is followed. */
export type EventAddress<Client> = { client?: Client | undefined; site?: string | undefined };

type Event = Parameters<TrackEvent>;
type Lane<Client> = { client: Client; site: string | undefined; sendEvent: TrackEvent };

export function createEventLanes<Client>() {
  const lanes: Lane<Client>[] = [];
  let waiting: { address: EventAddress<Client>; event: Event }[] = [];

  const fits = (lane: Lane<Client>, { client, site }: EventAddress<Client>) =>
    (client === undefined || client === lane.client) && (site === undefined || site === lane.site);

  function send(address: EventAddress<Client>, event: Event) {
    const lane = lanes.find((lane) => fits(lane, address));
    if (lane) lane.sendEvent(...event);
    else if (waiting.length < MAX_WAITING_EVENTS) waiting.push({ address, event });
  }

  return {
    send,
    /** A page is followed until what is returned is called. */
    open(lane: Lane<Client>): () => void {
      lanes.push(lane);
      const held = waiting;
      waiting = [];
      for (const { address, event } of held) send(address, event);
      return () => {
        lanes.splice(lanes.indexOf(lane), 1);
      };
    },
  };
}
