/** Owns: a session under test with a wire that records, and a client that reads it as the official one does. */
import { Authenticator } from "../auth/authenticator.ts";
import { createAdminKey } from "../auth/admin-key.ts";
import { AuthRefused } from "../auth/auth-refused.ts";
import type { UserTokens } from "../auth/user-tokens.ts";
import { manualClock } from "../clock.helpers.ts";
import type { Disclosure } from "../disclosure.ts";
import type { EngineLog } from "../logs/engine-log.ts";
import {
  counterFunctions,
  createFakeApplication,
  type FakeApplication,
} from "./fake-application.helpers.ts";
import { MutationLanes } from "./mutation-lanes.ts";
import { Session, type SessionContext } from "./session.ts";
import type { CloseReason, Wire } from "./wire.ts";

export type ServerMessage = { type: string } & Record<string, unknown>;

export type RecordingWire = Wire & {
  readonly sent: ServerMessage[];
  readonly closedWith: CloseReason | null;
  /** While set, the reader takes nothing. */
  stalled: Promise<void> | null;
};

function recordingWire(onClose: () => void): RecordingWire {
  const sent: ServerMessage[] = [];
  let closedWith: CloseReason | null = null;
  const wire: RecordingWire = {
    sent,
    stalled: null,
    get closedWith() {
      return closedWith;
    },
    send: (text) => void sent.push(JSON.parse(text) as ServerMessage),
    drained: async () => wire.stalled ?? undefined,
    close(reason) {
      closedWith = reason;
      onClose();
    },
  };
  return wire;
}

/** Lets everything that can happen without time passing happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

export type World = {
  readonly application: FakeApplication;
  readonly adminKey: string;
  readonly clock: ReturnType<typeof manualClock>;
  readonly problems: string[];
  readonly connect: (options?: ConnectOptions) => TestClient;
};
export type ConnectOptions = {
  sessionId?: string;
  maxObservedTimestamp?: string;
  mayBeAdmin?: boolean;
  silent?: boolean;
};
export type TestClient = {
  readonly session: Session;
  readonly wire: RecordingWire;
  readonly say: (message: object | string) => void;
  /** Messages of one type, in the order in which they came. */
  readonly heard: (type: string) => ServerMessage[];
};

export const TOKEN_LASTS_MS = 60_000;

/** "token:<subject>" holds for TOKEN_LASTS_MS; nothing else does. */
function tokensOfTests(clock: { now(): number }): UserTokens {
  return {
    async verify(token) {
      const [kind, subject] = token.split(":");
      if (kind !== "token") throw new AuthRefused("InvalidAuthHeader", "The token is no token.");
      return { identity: { subject }, expiresAt: clock.now() + TOKEN_LASTS_MS };
    },
  };
}

export function createWorld(disclosure: Disclosure = "development"): World {
  const application = createFakeApplication(counterFunctions);
  const adminKey = createAdminKey();
  const clock = manualClock();
  const problems: string[] = [];
  const log: EngineLog = { note: () => undefined, problem: (what) => void problems.push(what) };
  let nextRequest = 0;
  const context: SessionContext = {
    application,
    authenticator: new Authenticator(adminKey, tokensOfTests(clock)),
    lanes: new MutationLanes(),
    clock,
    disclosure,
    log,
    newRequestId: () => `request-${nextRequest++}`,
  };
  return {
    application,
    adminKey,
    clock,
    problems,
    connect({
      sessionId = "session-1",
      maxObservedTimestamp,
      mayBeAdmin = true,
      silent = false,
    } = {}) {
      const wire = recordingWire(() => session.onClosed());
      const request = { requestId: "unused", ip: "192.0.2.1", userAgent: "test" };
      const session = new Session(context, { request, mayBeAdmin }, wire);
      const say = (message: object | string) =>
        void session.receive(typeof message === "string" ? message : JSON.stringify(message));
      if (!silent) {
        say({
          type: "Connect",
          sessionId,
          connectionCount: 0,
          lastCloseReason: null,
          clientTs: clock.now(),
          maxObservedTimestamp,
        });
      }
      return {
        session,
        wire,
        say,
        heard: (type) => wire.sent.filter((message) => message.type === type),
      };
    },
  };
}

export const messages = {
  add: (queryId: number, udfPath: string, args: object = {}) => ({
    type: "Add",
    queryId,
    udfPath,
    args: [args],
  }),
  remove: (queryId: number) => ({ type: "Remove", queryId }),
  modify: (baseVersion: number, ...modifications: object[]) => ({
    type: "ModifyQuerySet",
    baseVersion,
    newVersion: baseVersion + 1,
    modifications,
  }),
  mutation: (requestId: number, udfPath: string, args: object = {}) => ({
    type: "Mutation",
    requestId,
    udfPath,
    args: [args],
  }),
  action: (requestId: number, udfPath: string, args: object = {}) => ({
    type: "Action",
    requestId,
    udfPath,
    args: [args],
  }),
  admin: (value: string, baseVersion = 0) => ({
    type: "Authenticate",
    tokenType: "Admin",
    value,
    baseVersion,
  }),
};
