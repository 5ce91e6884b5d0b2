/**
 * Owns: getting views and beats out through a Convex client, again if need be, and leaves out by beacon.
 * Not: what is sent and when (tracker.ts).
 *
 * The client queues and resends by itself while the server cannot be reached; what is retried here is a call that
 * the server answered with a failure of its own. A refusal (a ConvexError) is an answer: it is not asked again.
 */
import type { ConvexReactClient } from "convex/react";
import { ConvexError } from "convex/values";
import { api } from "../../convex/_generated/api.js";
import { leaveBody, type SendBeacon } from "./leave-beacon.ts";
import type { Beat, Clock, Leave, Transport, View } from "./hook-tracker.ts";

/** Waits before a failed view is sent again, under the same event id; after the last one it is given up. */
export const RETRY_WAITS_MS = [1_000, 5_000, 25_000];

export type MutationClient = Pick<ConvexReactClient, "mutation">;

export type ConvexTransportParts = {
  client: MutationClient;
  clock: Clock;
  sendBeacon: SendBeacon;
  /** Where `POST /e` answers, without a slash at its end. */
  siteUrl: string;
  site?: string | undefined;
  /** Asked before a view is sent again: a reader who has opted out meanwhile is not counted late. */
  hasOptedOut: () => boolean;
  /** Hears of the first failure, once in the life of the transport. */
  report: (sentence: string) => void;
};

/** Starts a call; its failure, even one thrown at once, reaches `onFailure` and nobody else. */
function start(
  call: () => Promise<unknown>,
  onFailure: (reason: unknown) => void,
): Promise<unknown> {
  return new Promise<unknown>((resolve) => resolve(call())).catch(onFailure);
}

function onlyTheFirst(report: (sentence: string) => void) {
  let hasReported = false;
  return (what: string, reason: unknown) => {
    if (hasReported) return;
    hasReported = true;
    report(`Footfall could not send ${what}: ${String(reason)}. The page itself is not affected.`);
  };
}

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

export function createConvexTransport(parts: ConvexTransportParts): Transport {
  const { client, clock, sendBeacon, siteUrl } = parts;
  const noteFailure = onlyTheFirst(parts.report);
  const ofSite = parts.site === undefined ? {} : { site: parts.site };
  /** As the views say it: where sites are told apart by their hosts, beats and leaves go where the views go. */
  let ofHost: { host?: string } = {};
  let latestPath = "";
  const beats = createBeatLane(
    (beat) =>
      start(
        () => client.mutation(api.stats.heartbeat, { ...beat, ...ofHost, ...ofSite }),
        (reason) => noteFailure("a heartbeat", reason),
      ),
    (beat) => beat.currentPath === latestPath && !parts.hasOptedOut(),
  );

  function sendView(view: View, attempt: number) {
    void start(
      () => client.mutation(api.stats.recordPageView, { ...view, ...ofSite }),
      (reason) => {
        const waitMs = RETRY_WAITS_MS[attempt];
        if (reason instanceof ConvexError || waitMs === undefined) noteFailure("a view", reason);
        else clock.setTimer(() => sendViewAgain(view, attempt + 1), waitMs);
      },
    );
  }

  /** A late view says where the visitor was; where they are now must be said after it. */
  function sendViewAgain(view: View, attempt: number) {
    if (parts.hasOptedOut()) return;
    sendView(view, attempt);
    if (latestPath !== view.path)
      beats.send({ sessionId: view.sessionId, currentPath: latestPath });
  }

  function isTaken(leave: Leave): boolean {
    try {
      return sendBeacon(`${siteUrl}/e`, leaveBody(leave, parts.site));
    } catch (reason) {
      noteFailure("a leave by beacon", reason);
      return false;
    }
  }

  return {
    view(view) {
      latestPath = view.path;
      if (view.host !== undefined) ofHost = { host: view.host };
      sendView(view, 0);
    },
    beat(beat) {
      latestPath = beat.currentPath;
      beats.send(beat);
    },
    leave(leave) {
      beats.forgetWaiting();
      if (isTaken(leave)) return;
      void start(
        () => client.mutation(api.stats.leave, { ...leave, ...ofHost, ...ofSite }),
        (reason) => noteFailure("a leave", reason),
      );
    },
  };
}
