/**
 * Owns: what the websocket's state means to a reader: connecting, live, unreachable or lost.
 * Not: how that is shown.
 */
import { useConvexConnectionState } from "convex/react";
import { useEffect, useState } from "react";

/** A drop shorter than this is not shown: a reconnect is usually over sooner than one could read about it. */
export const LOST_AFTER_MS = 1_000;

/** A first connection may take this long before the page says that nothing answers. */
export const UNREACHABLE_AFTER_MS = 4_000;

/**
 * `live` covers a drop that is still within its grace. `since` is when the connection went away, epoch ms of this
 * browser's clock.
 */
export type Connection =
  | { readonly state: "connecting" }
  | { readonly state: "live" }
  | { readonly state: "unreachable"; readonly since: number }
  | { readonly state: "lost"; readonly since: number };

/** What the client tells, as far as it matters here. */
export type SocketState = {
  readonly isWebSocketConnected: boolean;
  readonly hasEverConnected: boolean;
};

/** `goneSince`: when the connection went away, or null while its absence is within the grace. */
export function connectionOf(socket: SocketState, goneSince: number | null): Connection {
  if (socket.isWebSocketConnected) return { state: "live" };
  if (goneSince === null) return { state: socket.hasEverConnected ? "live" : "connecting" };
  return { state: socket.hasEverConnected ? "lost" : "unreachable", since: goneSince };
}

/** The connection of the surrounding ConvexProvider's client. */
export function useConnection(): Connection {
  const { isWebSocketConnected, hasEverConnected } = useConvexConnectionState();
  const [goneSince, setGoneSince] = useState<number | null>(null);
  useEffect(() => {
    if (isWebSocketConnected) return;
    const graceMs = hasEverConnected ? LOST_AFTER_MS : UNREACHABLE_AFTER_MS;
    const timer = setTimeout(() => setGoneSince(Date.now() - graceMs), graceMs);
    return () => {
      clearTimeout(timer);
      setGoneSince(null);
    };
  }, [isWebSocketConnected, hasEverConnected]);
  return connectionOf({ isWebSocketConnected, hasEverConnected }, goneSince);
}
