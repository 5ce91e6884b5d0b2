/** Owns: the message Transition: from one version of a client's view to the next, all of it at one snapshot. */
import { encodeTimestamp } from "./timestamp.ts";

export type StateVersion = {
  readonly querySet: number;
  readonly identity: number;
  readonly ts: bigint;
};

export type StateModification =
  | {
      readonly type: "QueryUpdated";
      readonly queryId: number;
      readonly valueJson: string;
      readonly logLines: readonly string[];
      readonly journal: string | null;
    }
  | {
      readonly type: "QueryFailed";
      readonly queryId: number;
      readonly errorMessage: string;
      readonly errorDataJson: string | null;
      readonly logLines: readonly string[];
    }
  | { readonly type: "QueryRemoved"; readonly queryId: number };

export type Transition = {
  readonly startVersion: StateVersion;
  readonly endVersion: StateVersion;
  readonly modifications: readonly StateModification[];
  /** How far the client's clock is ahead of ours, ms; null when it did not tell. */
  readonly clientClockSkewMs: number | null;
  /** Epoch ms. */
  readonly sentAt: number;
};

function encodeVersion({ querySet, identity, ts }: StateVersion): string {
  return `{"querySet":${querySet},"identity":${identity},"ts":"${encodeTimestamp(ts)}"}`;
}

function encodeModification(modification: StateModification): string {
  switch (modification.type) {
    case "QueryRemoved":
      return JSON.stringify(modification);
    case "QueryFailed": {
      const { queryId, errorMessage, errorDataJson, logLines } = modification;
      const errorData = errorDataJson === null ? "" : `,"errorData":${errorDataJson}`;
      const rest = JSON.stringify({
        type: "QueryFailed",
        queryId,
        errorMessage,
        logLines,
        journal: null,
      });
      return `${rest.slice(0, -1)}${errorData}}`;
    }
    case "QueryUpdated": {
      const { queryId, valueJson, logLines, journal } = modification;
      const rest = JSON.stringify({ type: "QueryUpdated", queryId, logLines, journal });
      return `${rest.slice(0, -1)},"value":${valueJson}}`;
    }
    default:
      return modification satisfies never;
  }
}

export function encodeTransition(transition: Transition): string {
  const { clientClockSkewMs, sentAt } = transition;
  const clock =
    clientClockSkewMs === null
      ? ""
      : `,"clientClockSkew":${Math.round(clientClockSkewMs)},"serverTs":${BigInt(Math.round(sentAt)) * 1_000_000n}`;
  const modifications = transition.modifications.map(encodeModification).join(",");
  return (
    `{"type":"Transition","startVersion":${encodeVersion(transition.startVersion)},` +
    `"endVersion":${encodeVersion(transition.endVersion)},"modifications":[${modifications}]${clock}}`
  );
}
