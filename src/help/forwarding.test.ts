import { expect, test } from "vitest";
import { forwardingOf, isNear, isSender } from "./forwarding.ts";

const PUBLIC = "203.0.113.9";
const seen = (address: string | null, ...forwardedFor: string[]) => ({
  ...{ address, forwardedFor },
  isPublic: address === PUBLIC,
});

test("a public address is fine, with a proxy that is believed and without one", () => {
  expect(forwardingOf(seen(PUBLIC, PUBLIC), "stats.example")).toEqual({
    ...{ kind: "fine", address: PUBLIC, isForwarded: true },
  });
  expect(forwardingOf(seen(PUBLIC), "stats.example")).toMatchObject({ isForwarded: false });
});

test("a proxy that forwards and is not believed is told from one that does not forward", () => {
  expect(forwardingOf(seen("127.0.0.1", PUBLIC), "stats.example")).toEqual({
    ...{ kind: "unbelieved", address: "127.0.0.1", proxies: 1 },
  });
  expect(forwardingOf(seen("127.0.0.1"), "stats.example").kind).toBe("hidden");
});

test("trusted proxies of which none forwards leave everybody unknown", () => {
  expect(forwardingOf(seen(null), "stats.example")).toEqual({ kind: "unknown" });
});

test("on one machine nothing is wrong and nothing is proved", () => {
  expect(forwardingOf(seen("127.0.0.1"), "localhost").kind).toBe("local");
  expect(forwardingOf(seen("10.0.0.7", "10.0.0.7"), "192.168.0.2").kind).toBe("local");
});

test.each(["localhost", "footfall", "10.1.2.3", "172.20.0.1", "[::1]", "nas.local"])(
  "%s is near",
  (host) => expect(isNear(host)).toBe(true),
);

test.each(["stats.example", "203.0.113.9", "172.40.0.1"])("%s is not near", (host) =>
  expect(isNear(host)).toBe(false),
);

test("what a proxy answers instead of Footfall is recognised as something else", () => {
  expect(isSender({ address: null, isPublic: false, forwardedFor: [] })).toBe(true);
  for (const said of [null, "", [], {}, { address: 1, isPublic: true, forwardedFor: [] }])
    expect(isSender(said)).toBe(false);
});
