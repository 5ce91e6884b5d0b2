/**
 * Owns: one client's connection: reading its messages in order, and telling it about every change.
 * Not: what it asked for (query-set.ts), what it was told (answered.ts), the order of its mutations
 * (mutation-lanes.ts), the socket (server/websocket.ts).
 */
import type { Application, Caller, RequestMetadata } from "../application.ts";
import { AuthRefused } from "../auth/auth-refused.ts";
import { visitor, type Authenticator } from "../auth/authenticator.ts";
import type { Clock } from "../clock.ts";
import type { Disclosure } from "../disclosure.ts";
import { MAX_TIMER_MS } from "../limits.ts";
import type { EngineLog } from "../logs/engine-log.ts";
import { Answered } from "./answered.ts";
import { Calls } from "./calls.ts";
import type { MutationLanes } from "./mutation-lanes.ts";
import { encodeAuthError } from "./protocol/auth-error.ts";
import type { Authenticate } from "./protocol/authenticate.ts";
import { parseClientMessage, type ClientMessage } from "./protocol/client-message.ts";
import type { Connect } from "./protocol/connect.ts";
import { encodeFatalError } from "./protocol/fatal-error.ts";
import { ProtocolError } from "./protocol/fields.ts";
import { PING, PING_EVERY_MS } from "./protocol/ping.ts";
import { encodeTransition } from "./protocol/transition.ts";
import { QuerySet, TooManyQueries } from "./query-set.ts";
import { closeReasons, type CloseReason, type Wire } from "./wire.ts";

export type SessionContext = {
  readonly application: Application;
  readonly authenticator: Authenticator;
  readonly lanes: MutationLanes;
  readonly clock: Clock;
  readonly disclosure: Disclosure;
  readonly log: EngineLog;
  readonly newRequestId: () => string;
};

/** `mayBeAdmin` is false for a browser on a foreign page, whatever key it brings. */
export type Peer = { readonly request: RequestMetadata; readonly mayBeAdmin: boolean };

/** `expiresAt`: epoch ms; null for ever. */
type ActingAs = { readonly caller: Caller; readonly expiresAt: number | null };
type Identity = { readonly version: number; readonly caller: Caller };

export class Session {
  readonly #context: SessionContext;
  readonly #peer: Peer;
  readonly #wire: Wire;
  readonly #querySet: QuerySet;
  readonly #answered = new Answered();
  readonly #calls: Calls;
  #connect: Connect | null = null;
  #clientClockSkewMs: number | null = null;
  #stopExpiry: () => void = () => undefined;
  #identity: Identity = { version: 0, caller: visitor };
  #inbox: Promise<void> = Promise.resolve();
  #closed = false;
  /** Nobody wants the rest of an evaluation that its client no longer waits for. */
  readonly #evaluating = new AbortController();
  /** Something may have changed since the last Transition. */
  #dirty = false;
  /** The last commit that was answered but not reached by a Transition: the client waits for one, changed or not. */
  #owedTs: bigint | null = null;
  #telling = false;
  #stopPinging: () => void = () => undefined;

  constructor(context: SessionContext, peer: Peer, wire: Wire) {
    this.#context = context;
    this.#peer = peer;
    this.#wire = wire;
    this.#querySet = new QuerySet(context.application.live, () => this.#changed());
    this.#calls = new Calls(context, peer.request, {
      send: (text) => this.#send(text),
      mutationCommitted: (commitTs) => this.#owe(commitTs),
      mutationLost: (error) => this.#fail(error),
    });
    this.#pingLater();
  }

  /**
   * One frame. Frames are handled in the order in which they came, also while a token is being checked; resolves when
   * this one has been.
   */
  receive(text: string): Promise<void> {
    this.#inbox = this.#inbox.then(async () => {
      if (this.#closed) return;
      try {
        await this.#handle(parseClientMessage(text));
      } catch (error) {
        this.#fail(error);
      }
    });
    return this.#inbox;
  }

  /** The connection is gone, whoever closed it. Mutations that arrived are still run. */
  onClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopPinging();
    this.#stopExpiry();
    this.#evaluating.abort();
    this.#querySet.close();
    if (!this.#telling) this.#querySet.releaseRetired();
  }

  close(reason: CloseReason): void {
    if (this.#closed) return;
    this.onClosed();
    this.#wire.close(reason);
  }

  /** Resolves when every frame that arrived so far has been read. */
  async read(): Promise<void> {
    await this.#inbox;
  }

  async #handle(message: ClientMessage): Promise<void> {
    if (message.type === "Connect") return this.#connected(message);
    if (this.#connect === null)
      throw new ProtocolError(`The first message must be Connect, not ${message.type}.`);
    switch (message.type) {
      case "ModifyQuerySet":
        await this.#querySet.roomForChange();
        this.#querySet.modify(message, this.#identity.caller);
        return this.#changed();
      case "Authenticate":
        return this.#authenticate(message);
      case "Mutation":
        if (!this.#calls.mutation(message, this.#connect.sessionId, this.#identity.caller)) {
          this.close(closeReasons.tooManyRequests);
        }
        return;
      case "Action":
        if (!this.#calls.action(message, this.#identity.caller))
          this.close(closeReasons.tooManyRequests);
        return;
      case "Event":
        return;
      default:
        return message satisfies never;
    }
  }

  #connected(connect: Connect): void {
    if (this.#connect !== null) throw new ProtocolError("Connect came twice on one connection.");
    this.#connect = connect;
    if (connect.clientTs !== null)
      this.#clientClockSkewMs = connect.clientTs - this.#context.clock.now();
    const { commitTs } = this.#context.application;
    if (connect.maxObservedTimestamp !== null && connect.maxObservedTimestamp > commitTs) {
      this.close(closeReasons.ahead);
    }
  }

  async #authenticate(message: Authenticate): Promise<void> {
    if (message.baseVersion !== this.#identity.version) {
      throw new ProtocolError(
        `The identity is at version ${this.#identity.version}, this change was made to version ${message.baseVersion}.`,
      );
    }
    try {
      const { caller, expiresAt } = await this.#callerOf(message);
      this.#identity = { version: message.baseVersion + 1, caller };
      this.#expireAt(expiresAt);
      this.#querySet.actAs(caller);
      this.#changed();
    } catch (error) {
      if (!(error instanceof AuthRefused)) throw error;
      const { baseVersion } = message;
      this.#send(encodeAuthError({ error: error.message, baseVersion, authUpdateAttempted: true }));
      this.close(closeReasons.auth);
    }
  }

  /** The client fetches a new token in time; when it has not, nothing may run on as the user. */
  #expireAt(expiresAt: number | null): void {
    this.#stopExpiry();
    this.#stopExpiry = () => undefined;
    if (expiresAt === null || this.#closed) return;
    const delayMs = expiresAt - this.#context.clock.now();
    if (delayMs > MAX_TIMER_MS) return;
    this.#stopExpiry = this.#context.clock.setTimer(() => {
      const baseVersion = this.#identity.version;
      const error = "The token has expired. Fetch a new one.";
      this.#send(encodeAuthError({ error, baseVersion, authUpdateAttempted: false }));
      this.close(closeReasons.auth);
    }, delayMs);
  }

  async #callerOf(message: Authenticate): Promise<ActingAs> {
    switch (message.tokenType) {
      case "None":
        return { caller: visitor, expiresAt: null };
      case "User":
        return this.#context.authenticator.user(message.value);
      case "Admin":
        if (!this.#peer.mayBeAdmin) {
          throw new AuthRefused(
            "BadOrigin",
            "The admin key is not taken from a page of another site.",
          );
        }
        return {
          caller: this.#context.authenticator.admin(message.value, message.impersonating),
          expiresAt: null,
        };
      default:
        return message satisfies never;
    }
  }

  #owe(commitTs: bigint): void {
    if (this.#owedTs === null || commitTs > this.#owedTs) this.#owedTs = commitTs;
    this.#tellSoon();
  }

  #changed(): void {
    this.#dirty = true;
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (!this.#telling && !this.#closed) void this.#tell();
  }

  /** Tells the client about changes until there are none; changes that come meanwhile are told together. */
  async #tell(): Promise<void> {
    this.#telling = true;
    try {
      while ((this.#dirty || this.#owedTs !== null) && !this.#closed) {
        this.#dirty = false;
        await this.#tellOnce();
        this.#querySet.releaseRetired();
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#telling = false;
      if (this.#closed) this.#querySet.releaseRetired();
    }
  }

  async #tellOnce(): Promise<void> {
    await this.#wire.drained();
    const identity = this.#identity;
    const asked = this.#querySet.snapshot();
    const { live } = this.#context.application;
    const { ts, results } = await live.evaluate(asked.live, this.#evaluating.signal);
    // A commit that this snapshot holds is answered first: the client drops its optimistic update
    // with the Transition, and would show the change twice if the Transition overtook the answer.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (this.#closed) return;
    const endVersion = { querySet: asked.version, identity: identity.version, ts };
    const evaluated = { endVersion, queryIds: asked.queryIds, results };
    const told = this.#answered.advance(evaluated, {
      caller: identity.caller,
      disclosure: this.#context.disclosure,
      evenWithoutNews: this.#owedTs !== null,
    });
    if (told === null) return;
    if (this.#owedTs !== null && ts >= this.#owedTs) this.#owedTs = null;
    this.#send(
      encodeTransition({
        ...told,
        clientClockSkewMs: this.#clientClockSkewMs,
        sentAt: this.#context.clock.now(),
      }),
    );
  }

  #send(text: string): void {
    if (!this.#closed) this.#wire.send(text);
  }

  #pingLater(): void {
    this.#stopPinging = this.#context.clock.setTimer(() => {
      this.#send(PING);
      this.#pingLater();
    }, PING_EVERY_MS);
  }

  #fail(error: unknown): void {
    if (this.#closed) return;
    if (error instanceof ProtocolError) {
      this.#send(encodeFatalError(error.message));
      this.close(closeReasons.protocol);
    } else if (error instanceof TooManyQueries) {
      this.close(closeReasons.tooManyQueries);
    } else {
      this.#context.log.problem("A connection failed", error);
      this.close(closeReasons.broken);
    }
  }
}
