/** Owns: the step whether the visitor's address arrives, shown to the visitor who has it. Not: what it means (forwarding.ts). */
import { useCallback } from "react";
import { forwardingOf, isSender, type Forwarding, type Sender } from "./forwarding.ts";
import { Again, Code, Fix, Step, type StepState } from "./Step.tsx";
import { texts } from "./texts.ts";
import { useProbe } from "./useProbe.ts";

const HEADER = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
const trusting = (proxies: number) => `npm start -- --trusted-proxies ${proxies}`;

async function askSender(origin: string, signal: AbortSignal): Promise<Sender> {
  const options = { signal, cache: "no-store", credentials: "omit" } as const;
  const response = await fetch(`${origin}/v1/sender`, options);
  if (!response.ok) throw new Error(`${origin}/v1/sender answers with status ${response.status}`);
  const said: unknown = await response.json();
  if (isSender(said)) return said;
  throw new Error(`${origin}/v1/sender answers something else; is it Footfall’s own address?`);
}

function verdictOf(forwarding: Forwarding): { state: StepState; verdict: string } {
  const words = texts.address;
  switch (forwarding.kind) {
    case "fine":
      return { state: "done", verdict: words.fine(forwarding.isForwarded) };
    case "local":
      return { state: "waiting", verdict: words.local };
    case "unknown":
      return { state: "failed", verdict: words.unknownVerdict };
    case "unbelieved":
      return { state: "failed", verdict: words.unbelieved(forwarding.proxies) };
    case "hidden":
      return { state: "failed", verdict: words.hidden };
  }
  return forwarding satisfies never;
}

function AddressFix({ forwarding, again }: { forwarding: Forwarding; again: () => void }) {
  const words = texts.address;
  const proxies = forwarding.kind === "unbelieved" ? forwarding.proxies : 1;
  return (
    <Fix>
      {forwarding.kind !== "unbelieved" && (
        <>
          <p>{words.fixHeader}</p>
          <Code label={words.fixHeader}>{HEADER}</Code>
        </>
      )}
      <p>{words.fixTrust}</p>
      <Code label={words.fixTrust}>{trusting(proxies)}</Code>
      <Again again={again} />
    </Fix>
  );
}

function Seen({ sender }: { sender: Sender }) {
  const words = texts.address;
  return (
    <dl className="help-seen">
      <dt>{words.believed}</dt>
      <dd>{sender.address ?? words.unknown}</dd>
      <dt>{words.forwarded}</dt>
      <dd>{sender.forwardedFor.join(", ") || words.nothing}</dd>
    </dl>
  );
}

export function AddressStep({ origin }: { origin: string }) {
  const { probe, again } = useProbe(
    useCallback((signal: AbortSignal) => askSender(origin, signal), [origin]),
  );
  const sender = probe.kind === "answered" ? probe.answer : null;
  const forwarding = sender === null ? null : forwardingOf(sender, new URL(origin).hostname);
  const { state, verdict }: { state: StepState; verdict: string } =
    forwarding !== null
      ? verdictOf(forwarding)
      : probe.kind === "failed"
        ? { state: "failed", verdict: texts.cut(probe.message) }
        : { state: "checking", verdict: "" };
  const fix =
    probe.kind === "failed" ? (
      <Again again={again} />
    ) : (
      state === "failed" &&
      forwarding !== null && <AddressFix forwarding={forwarding} again={again} />
    );
  return (
    <Step name="address" title={texts.address.title} state={state} verdict={verdict} fix={fix}>
      <p>{texts.address.explain}</p>
      {sender !== null && <Seen sender={sender} />}
    </Step>
  );
}
