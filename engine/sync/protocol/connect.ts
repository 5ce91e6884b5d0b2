/** Owns: the message Connect, the first on every connection. */
import { readCount, readString, refuse, type Fields } from "./fields.ts";
import { parseTimestamp } from "./timestamp.ts";

const MAX_SESSION_ID_CHARACTERS = 128;

export type Connect = {
  readonly type: "Connect";
  /** Chosen by the client, kept over reconnects; names its mutations for resends. */
  readonly sessionId: string;
  readonly connectionCount: number;
  /** The last state that this client has seen, on any connection; epoch nanoseconds. */
  readonly maxObservedTimestamp: bigint | null;
  /** The client's clock, epoch ms; null when it does not tell. */
  readonly clientTs: number | null;
};

export function parseConnect(fields: Fields): Connect {
  const sessionId = readString(fields, "sessionId", MAX_SESSION_ID_CHARACTERS);
  if (sessionId === "")
    refuse("sessionId", sessionId, "an id that this client keeps over reconnects");
  const observed = fields["maxObservedTimestamp"];
  const clientTs = fields["clientTs"];
  return {
    type: "Connect",
    sessionId,
    connectionCount: readCount(fields, "connectionCount"),
    maxObservedTimestamp:
      observed === undefined || observed === null
        ? null
        : parseTimestamp("maxObservedTimestamp", observed),
    clientTs: typeof clientTs === "number" && Number.isFinite(clientTs) ? clientTs : null,
  };
}
