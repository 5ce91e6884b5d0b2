/**
 * Owns: which mutations and actions of a session are in flight, and their answers.
 * Not: the order between mutations (mutation-lanes.ts).
 */
import type {
  ActionResult,
  Caller,
  FunctionFailure,
  MutationResult,
  RequestMetadata,
} from "../application.ts";
import { errorMessageFor, logLinesFor } from "../disclosure.ts";
import { MAX_ARGS_BYTES } from "../limits.ts";
import { encodeActionResponse } from "./protocol/action-response.ts";
import type { Action } from "./protocol/action.ts";
import type { FailureOnWire } from "./protocol/failure.ts";
import { encodeMutationResponse } from "./protocol/mutation-response.ts";
import type { Mutation } from "./protocol/mutation.ts";
import type { SessionContext } from "./session.ts";

/** Actions run side by side and may wait for the network, so fewer of them are let in than mutations. */
export const MAX_RUNNING_ACTIONS = 256;
/** UTF-16 units of the arguments of one connection's running actions: a few of the largest, or many small ones. */
const MAX_RUNNING_CHARACTERS = 4 * MAX_ARGS_BYTES;

export type Answers = {
  send(text: string): void;
  /** The client settles a mutation at the next Transition after its answer. */
  mutationCommitted(commitTs: bigint): void;
  /** A mutation has no outcome (a full disk): the connection must end, so that the client sends it again. */
  mutationLost(error: unknown): void;
};

export class Calls {
  readonly #context: SessionContext;
  readonly #request: RequestMetadata;
  readonly #answers: Answers;
  #runningActions = 0;
  #runningCharacters = 0;
  /** After a lost mutation its successors must not run: the client sends them all again, in order. */
  #lost = false;

  constructor(context: SessionContext, request: RequestMetadata, answers: Answers) {
    this.#context = context;
    this.#request = request;
    this.#answers = answers;
  }

  /** False when too many of this client, or too large ones of everybody, wait already. */
  mutation(message: Mutation, sessionId: string, caller: Caller): boolean {
    const { lanes } = this.#context;
    const { length } = message.argsJson;
    if (!lanes.hasRoom(sessionId, length)) return false;
    lanes.enqueue(sessionId, length, (onRan) =>
      this.#runMutation(message, { sessionId, caller, onRan }),
    );
    return true;
  }

  async #runMutation(
    message: Mutation,
    { sessionId, caller, onRan }: { sessionId: string; caller: Caller; onRan: () => void },
  ): Promise<void> {
    if (this.#lost) return;
    const { application } = this.#context;
    const options = {
      caller,
      request: this.#requestOfCall(),
      requestKey: { sessionId, requestId: message.requestId },
      onRan,
    };
    try {
      const result = await application.mutation(message.target, message.argsJson, options);
      this.#answerMutation(message.requestId, result, caller);
    } catch (error) {
      this.#lost = true;
      this.#answers.mutationLost(error);
    }
  }

  action(message: Action, caller: Caller): boolean {
    const characters = this.#runningCharacters + message.argsJson.length;
    if (this.#runningActions >= MAX_RUNNING_ACTIONS || characters > MAX_RUNNING_CHARACTERS)
      return false;
    this.#runningActions += 1;
    this.#runningCharacters = characters;
    void this.#runAction(message, caller);
    return true;
  }

  async #runAction(message: Action, caller: Caller): Promise<void> {
    const request = this.#requestOfCall();
    try {
      const { application } = this.#context;
      const result = await application.action(message.target, message.argsJson, {
        caller,
        request,
      });
      this.#answerAction(message.requestId, result, caller);
    } catch (error) {
      this.#answerAction(message.requestId, this.#brokenAction(request, error), caller);
    } finally {
      this.#runningActions -= 1;
      this.#runningCharacters -= message.argsJson.length;
    }
  }

  #answerMutation(requestId: number, result: MutationResult, caller: Caller): void {
    if (!result.ok) {
      const failure = this.#failureOnWire(result, caller);
      return this.#answers.send(encodeMutationResponse({ requestId, ...failure }));
    }
    const { value: valueJson, commitTs } = result;
    const logLines = logLinesFor(result.logLines, caller, this.#context.disclosure);
    this.#answers.send(
      encodeMutationResponse({ requestId, ok: true, valueJson, commitTs, logLines }),
    );
    this.#answers.mutationCommitted(commitTs);
  }

  #answerAction(requestId: number, result: ActionResult, caller: Caller): void {
    if (result.ok) {
      const logLines = logLinesFor(result.logLines, caller, this.#context.disclosure);
      this.#answers.send(
        encodeActionResponse({ requestId, ok: true, valueJson: result.value, logLines }),
      );
    } else {
      this.#answers.send(
        encodeActionResponse({ requestId, ...this.#failureOnWire(result, caller) }),
      );
    }
  }

  #failureOnWire(failure: FunctionFailure, caller: Caller): FailureOnWire {
    const { disclosure } = this.#context;
    return {
      ok: false,
      errorMessage: errorMessageFor(failure, caller, disclosure),
      errorDataJson: failure.data,
      logLines: logLinesFor(failure.logLines, caller, disclosure),
    };
  }

  /** Our own failure, not the function's. A client never resends an action, so it is told; the operator sees why. */
  #brokenAction({ requestId }: RequestMetadata, error: unknown): FunctionFailure {
    this.#context.log.problem(`An action could not be run (request ${requestId})`, error);
    return {
      ok: false,
      message: "The engine could not run this action.",
      data: null,
      logLines: [],
      requestId,
    };
  }

  #requestOfCall(): RequestMetadata {
    return { ...this.#request, requestId: this.#context.newRequestId() };
  }
}
