/** Owns: what a session needs of a connection. server/websocket.ts is the real one; tests pass a recording one. */
export interface Wire {
  send(text: string): void;
  /** Resolves when the reader has taken so much that sending more makes sense; at once for a quick reader. */
  drained(): Promise<void>;
  /** After this nothing more is sent; `onClosed` of the session is called once. */
  close(reason: CloseReason): void;
}

/**
 * A client that is closed with a known first word backs off for as long as that word tells it
 * (convex/src/browser/sync/web_socket_manager.ts).
 */
export type CloseReason = { readonly code: number; readonly reason: string };

export const closeReasons = {
  protocol: { code: 1002, reason: "FatalError" },
  auth: { code: 1008, reason: "AuthError" },
  goingAway: { code: 1001, reason: "InternalServerError: the engine is shutting down" },
  broken: { code: 1011, reason: "InternalServerError: this connection failed, try again" },
  ahead: {
    code: 1011,
    reason: "InternalServerError: this client has seen a later state than this engine holds",
  },
  tooManyRequests: {
    code: 1013,
    reason: "TooManyConcurrentRequests: too many calls of this client are waiting",
  },
  tooManyQueries: {
    code: 1013,
    reason: "TooManyConcurrentRequests: too many queries on one connection",
  },
  slowReader: { code: 1013, reason: "TooManyConcurrentRequests: this client reads too slowly" },
} as const satisfies Record<string, CloseReason>;
