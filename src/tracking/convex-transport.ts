/**
 * Owns: getting views, events and beats out through a Convex client, again if need be, and leaves and reports by beacon.
 * Not: what is sent and when (tracker.ts, parts/), and what is done about a failure (delivery.ts).
 */
import type { ConvexReactClient } from "convex/react";
import { api } from "../../convex/_generated/api.js";
import { createDelivery, type Delivery, type DeliveryParts } from "./delivery.ts";
import type { EventProperties } from "./events.ts";
import { leaveBody, reportBody, type SendBeacon } from "./leave-beacon.ts";
import type { Beat, Transport, View } from "./hook-tracker.ts";

export type MutationClient = Pick<ConvexReactClient, "mutation">;

export type ConvexTransportParts = DeliveryParts & {
  client: MutationClient;
  sendBeacon: SendBeacon;
  /** Where `POST /e` answers, without a slash at its end. */
  siteUrl: string;
  site?: string | undefined;
};

/**
 * At most one beat is underway: a client without a connection must not pile them up. Of what is said meanwhile the
 * newest follows, if it names another path and is still wanted.
 */
function createBeatLane(send: (beat: Beat) => Promise<unknown>, isWanted: (beat: Beat) => boolean) {
  let isUnderway = false;
  let waiting: Beat | null = null;

  function sendBeat(beat: Beat) {
    if (isUnderway) {
      waiting = beat;
      return;
    }
    isUnderway = true;
    void send(beat).then(() => {
      isUnderway = false;
      sendWaiting(beat.currentPath);
    });
  }

  function sendWaiting(saidPath: string) {
    const next = waiting;
    waiting = null;
    if (next !== null && next.currentPath !== saidPath && isWanted(next)) sendBeat(next);
  }

  return {
    send: sendBeat,
    forgetWaiting: () => {
      waiting = null;
    },
  };
}

/** As a list, because the name of a field of Convex is ASCII, and a key may be any text. */
function listed(
  properties: EventProperties = {},
): { key: string; value: EventProperties[string] }[] {
  return Object.entries(properties).map(([key, value]) => ({ key, value }));
}

/** What a page says last: by beacon, and by the client when the browser does not take that. */
function createLastWords({ sendBeacon, siteUrl }: ConvexTransportParts, delivery: Delivery) {
  return (what: string, body: string, call: () => Promise<unknown>): void => {
    try {
      if (sendBeacon(`${siteUrl}/e`, body)) return;
    } catch (reason) {
      delivery.failed(`${what} by beacon`, reason);
    }
    void delivery.once(what, call);
  };
}

export function createConvexTransport(parts: ConvexTransportParts): Transport {
  const { client } = parts;
  const delivery = createDelivery(parts);
  const sendLast = createLastWords(parts, delivery);
  const ofSite = parts.site === undefined ? {} : { site: parts.site };
  /** As the views say it: where sites are told apart by their hosts, all else goes where the views go. */
  let ofHost: { host?: string } = {};
  let latestPath = "";
  /** As the views say what their reader asks for. */
  let asked: { isPrivate?: true } = {};
  const sendBeat = (beat: Beat) =>
    delivery.once("a heartbeat", () =>
      client.mutation(api.stats.heartbeat, { ...beat, ...ofHost, ...ofSite }),
    );
  const isWanted = ({ currentPath }: Beat) => currentPath === latestPath && !parts.hasOptedOut();
  const beats = createBeatLane(sendBeat, isWanted);

  /** A late view says where the visitor was; where they are now must be said after it. */
  function sayWhereNow({ sessionId, path }: View) {
    if (latestPath !== path) beats.send({ sessionId, currentPath: latestPath });
  }

  return {
    view(view) {
      latestPath = view.path;
      if (view.host !== undefined) ofHost = { host: view.host };
      if (view.isPrivate === true) asked = { isPrivate: true };
      delivery.untilTaken(
        "a view",
        () => client.mutation(api.stats.recordPageView, { ...view, ...ofSite }),
        () => sayWhereNow(view),
      );
    },
    beat(beat) {
      latestPath = beat.currentPath;
      beats.send(beat);
    },
    leave(leave) {
      beats.forgetWaiting();
      sendLast("a leave", leaveBody(leave, parts.site), () =>
        client.mutation(api.stats.leave, { ...leave, ...ofHost, ...ofSite }),
      );
    },
    event({ interactive: isInteractive, properties, ...event }) {
      const said = { ...event, isInteractive, properties: listed(properties) };
      const args = { ...said, ...asked, ...ofHost, ...ofSite };
      delivery.untilTaken("an event", () => client.mutation(api.stats.recordEvent, args));
    },
    report(report) {
      sendLast("how a view was read", reportBody(report, parts.site), () =>
        client.mutation(api.stats.recordEngagement, {
          ...report,
          ...asked,
          ...ofHost,
          ...ofSite,
        }),
      );
    },
  };
}
