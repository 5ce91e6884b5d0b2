/** Owns: the step whether the script loads from where pages load it. Not: serving it (convex/model/script.ts). */
import { useCallback } from "react";
import { Link } from "react-router-dom";
import { isNear } from "./forwarding.ts";
import { Again, Code, Fix, Step } from "./Step.tsx";
import { texts } from "./texts.ts";
import { useProbe, type Probe } from "./useProbe.ts";

type Loaded = { readonly status: number; readonly type: string; readonly bytes: number };

const HOOK = [
  'import { Footfall } from "./tracking/index.ts";',
  "",
  "// once, inside <ConvexProvider>",
  '<Footfall pageType="page" />',
].join("\n");

/** Asked as a page of another origin does, and past the browser's cache: what counts is what answers now. */
async function loadScript(origin: string, signal: AbortSignal): Promise<Loaded> {
  const options = { signal, cache: "no-store", credentials: "omit" } as const;
  const { status, headers, ...answer } = await fetch(`${origin}/s.js`, options).then(
    async (response) => ({
      status: response.status,
      headers: response.headers,
      text: await response.text(),
    }),
  );
  const bytes = new TextEncoder().encode(answer.text).length;
  return { status, type: headers.get("Content-Type") ?? "", bytes };
}

function faultOf(probe: Probe<Loaded>): string | null {
  const { failed } = texts.script;
  if (probe.kind === "checking") return null;
  if (probe.kind === "failed") return failed.unreachable;
  const { status, type } = probe.answer;
  if (status !== 200) return failed.status(status);
  return /javascript/i.test(type) ? null : failed.type(type);
}

function verdictOf(probe: Probe<Loaded>): string {
  if (probe.kind !== "answered") return faultOf(probe) ?? "";
  return faultOf(probe) ?? texts.script.done(probe.answer.bytes.toLocaleString());
}

type Props = { origin: string; site: string | undefined };

export function ScriptStep({ origin, site }: Props) {
  const { probe, again } = useProbe(
    useCallback((signal: AbortSignal) => loadScript(origin, signal), [origin]),
  );
  const words = texts.script;
  const fault = faultOf(probe);
  const { protocol, hostname } = new URL(origin);
  const named = site === undefined ? "" : ` data-site="${site}"`;
  return (
    <Step
      name="script"
      title={words.title}
      state={fault !== null ? "failed" : probe.kind === "answered" ? "done" : "checking"}
      verdict={verdictOf(probe)}
      fix={
        fault !== null && (
          <Fix>
            <p>{words.fix}</p>
            <Again again={again} />
          </Fix>
        )
      }
    >
      <p>{words.explain}</p>
      <Code label={words.explain}>{`<script defer src="${origin}/s.js"${named}></script>`}</Code>
      <p>{words.react}</p>
      <Code label={words.react}>{HOOK}</Code>
      <p>
        <Link to="/posts/install-footfall">{words.more}</Link>
      </p>
      {protocol === "http:" && !isNear(hostname) && <p>{words.insecure}</p>}
    </Step>
  );
}
