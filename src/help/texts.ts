/** Owns: every English text of /help. Not: what is checked. */

export const texts = {
  title: "Set up a site",
  lead: "Five steps, each with a check that runs while this page is open. What a check finds is not stored, and shown to nobody but you.",
  ofSite: (slug: string) => `For the site “${slug}”.`,
  states: { checking: "checking", done: "done", waiting: "waiting", failed: "to mend" },
  again: "Check again",
  fix: "To mend it",
  notYet: "Waits for the server.",
  cut: (message: string) => `The server did not answer: ${message}`,
  script: {
    title: "The script loads",
    explain: "Put this into the head of every page of your site:",
    done: (bytes: string) => `It loads from there: ${bytes} bytes of JavaScript.`,
    failed: {
      status: (status: number) => `The address answers with status ${status}.`,
      type: (type: string) =>
        `The address answers with ${type === "" ? "something without a type" : type}, not with JavaScript.`,
      unreachable: "Nothing answers at this address, or the browser may not load from it.",
    },
    fix: "Let the proxy in front pass /s.js and /e to Footfall as they are, before any rule that answers unknown paths with a page. An https page loads nothing from an http address.",
    insecure:
      "This address is http: pages that are https will not load it. Put a proxy that speaks TLS in front before you go live.",
    react:
      "In React the hook does the same; mount it once, near the root. Use the script or the hook, not both:",
    more: "All ways to install it",
  },
  view: {
    title: "The first view arrived",
    explain: "Open a page of your site, in any tab or on your phone.",
    waiting: "Nothing yet. It appears here by itself, about a second after the page has been seen.",
    done: (views: string) => `Views so far: ${views}. This number is live.`,
    fix: [
      "This browser may not count: localStorage.footfall_opt_out is set, or it asks not to be tracked.",
      "A site with hosts counts hits from those hosts only. This says which hosts were refused, and the command that adds each:",
      "In the network tab of the page, the request to /e says what became of the view in its header X-Footfall.",
      "A browser that a program drives counts as a bot, and a background tab is no view until somebody looks at it.",
    ],
  },
  address: {
    title: "The proxy forwards the address",
    explain:
      "Footfall keeps no address, but limits forgers by it, and tells daily visitors apart with it. It must be that of the visitor, not that of your proxy.",
    believed: "Believed to be yours:",
    forwarded: "Forwarded by proxies:",
    nothing: "nothing",
    unknown: "unknown",
    fine: (isForwarded: boolean) =>
      isForwarded
        ? "A proxy forwards your address, and it is believed."
        : "Your address arrives without a proxy’s word for it. If a proxy of yours stands in front, compare: this must not be its address.",
    local:
      "Browser and server are on one machine or network, so this proves nothing of visitors yet. Come back on the address that they use.",
    unknownVerdict:
      "Proxies are trusted, but none of them forwards an address: visitors are told apart by nothing.",
    unbelieved: (proxies: number) =>
      `A forwarded address arrives (through ${proxies === 1 ? "one proxy" : `${proxies} proxies`}), but it is not believed: everybody has the address of the last proxy.`,
    hidden: "Everybody has the address of your proxy, because it forwards none.",
    fixHeader: "In the proxy (nginx; Caddy does it by itself):",
    fixTrust: "And tell Footfall how many proxies of yours stand in front of it:",
  },
  policy: {
    title: "The Content-Security-Policy allows it",
    explain:
      "Only if your pages have one. Paste it below: this browser then loads the script and reaches the collector under it, in an empty frame.",
    page: "Address of a page of yours",
    policy: "Its Content-Security-Policy",
    check: "Try it",
    invalidPage: "This is no address of a page. Wanted: https://blog.example",
    waiting: "Nothing pasted yet. A page without a policy needs nothing.",
    allowed: "The browser loaded the script and reached the collector under this policy.",
    refused: {
      script: "The browser refused the script.",
      connection: "The browser refused the connection to the collector.",
    },
    broken: (message: string) => `The trial itself failed: ${message}`,
    fix: "The same policy, with what is missing:",
    nonce: "A policy with a nonce also wants it on the tag: <script nonce=…>.",
    needs: "What a policy must have at least:",
  },
  mount: {
    title: "It is mounted once",
    explain:
      "Two trackers that do not know of one another make two visitors of one. Open a page of your site in a private window, and only that one.",
    waiting: "Waits for somebody to come.",
    once: (path: string) => `One visitor came to ${path}, once.`,
    twice: (path: string) =>
      `Two visitors came to ${path} at the same moment. If you opened it once, two trackers are on it.`,
    nobody: "This site tells nobody apart, so two trackers cannot be told from two views.",
    fix: "Paste this into the console of that page. It lists the script tags; take out all but one, and the tag wherever the hook is used:",
  },
} as const;
