/** Owns: the message Ping, which tells a client that the connection lives. */

/** Clients reconnect after 60 s of silence; four pings fit into that. */
export const PING_EVERY_MS = 15_000;
export const PING = '{"type":"Ping"}';
