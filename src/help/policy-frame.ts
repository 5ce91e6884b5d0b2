/**
 * Owns: letting this browser say whether a policy lets Footfall through: an empty frame gets the policy, and loads.
 * Not: reading the policy (policy.ts).
 *
 * The script does nothing in a page without an address, and asking what /e takes (OPTIONS) is no hit: nothing is counted.
 */
import type { Refused } from "./policy.ts";

type Trial = {
  readonly policy: string;
  readonly nonce: string | undefined;
  /** Where the deployment's HTTP routes answer. */
  readonly origin: string;
};

/** What the policy refused; [] when it lets both through. Rejects when something else stood in the way. */
export async function tryPolicy({ policy, nonce, origin }: Trial): Promise<Refused[]> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  document.body.append(frame);
  try {
    const { contentDocument: inside, contentWindow: world } = frame;
    if (inside === null || world === null) throw new Error("This browser gives no empty frame.");
    const refused = refusalsIn(inside);
    const meta = inside.createElement("meta");
    meta.httpEquiv = "Content-Security-Policy";
    meta.content = policy;
    inside.head.append(meta);
    const failed = await failures([
      ["script", load(inside, `${origin}/s.js`, nonce)],
      ["connection", world.fetch(`${origin}/e`, { method: "OPTIONS", credentials: "omit" })],
    ]);
    const other = failed.find((what) => !refused.has(what));
    if (other !== undefined) throw new Error(`the ${other} failed for another reason`);
    return failed;
  } finally {
    frame.remove();
  }
}

/** Filled by the browser before the load that it refuses fails. */
function refusalsIn(inside: Document): ReadonlySet<Refused> {
  const refused = new Set<Refused>();
  inside.addEventListener("securitypolicyviolation", ({ effectiveDirective }) =>
    refused.add(effectiveDirective === "connect-src" ? "connection" : "script"),
  );
  return refused;
}

async function failures(tried: readonly [Refused, Promise<unknown>][]): Promise<Refused[]> {
  const outcomes = await Promise.allSettled(tried.map(([, attempt]) => attempt));
  // The event of a refusal is a task of its own, which may come after that of the failure.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return tried.flatMap(([what], place) => (outcomes[place]?.status === "rejected" ? [what] : []));
}

function load(inside: Document, address: string, nonce: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = inside.createElement("script");
    if (nonce !== undefined) script.nonce = nonce;
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error(`${address} did not load`));
    inside.head.append(script);
  });
}
