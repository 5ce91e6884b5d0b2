/**
 * Owns: the version of `convex` that the protocols were proven with, and fingerprints beside it. When one of the two
 * tests that read this fails after an update: read what changed in the files or messages that it names, run
 * server/clients.test.ts and server/cli.test.ts, then write the new pair here.
 * Not: the protocols.
 */
export const PROVEN_WITH = {
  version: "1.49.0",
  /** Of the sources in the npm package that define the protocols (proven-with.test.ts). */
  sources: "3eeba8bc6eda5f1a",
  /** Of the shapes of the messages that the official client and the engine exchange (server/messages.test.ts). */
  messages: "7dcf7f981fc55275",
} as const;
