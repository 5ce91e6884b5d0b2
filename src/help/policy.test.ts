import { expect, test } from "vitest";
import { mendedPolicy, nonceIn, originOf, trialPolicy } from "./policy.ts";

const STATS = "https://stats.example";

test("the trial keeps what decides, and 'self' is the page that the policy is for", () => {
  const policy =
    "Content-Security-Policy: default-src 'self'; sandbox; Script-Src 'SELF' https://cdn.example; report-uri /r";
  expect(trialPolicy(policy, "https://blog.example")).toBe(
    "default-src https://blog.example; script-src https://blog.example https://cdn.example",
  );
});

test("of a directive that comes twice the first counts, as in a browser", () => {
  expect(trialPolicy("connect-src a.example; connect-src *", "https://b.example")).toBe(
    "connect-src a.example",
  );
});

test("the mended policy allows both where it refused both, and keeps what it allowed", () => {
  const policy = "default-src 'none'; img-src *; connect-src https://api.example";
  expect(mendedPolicy(policy, ["script", "connection"], STATS)).toBe(
    `default-src 'none'; img-src *; connect-src https://api.example ${STATS}; script-src ${STATS}`,
  );
});

test("what was inherited from default-src stays allowed", () => {
  expect(mendedPolicy("default-src 'self' https://cdn.example", ["connection"], STATS)).toBe(
    `default-src 'self' https://cdn.example; connect-src 'self' https://cdn.example ${STATS}`,
  );
});

test("script-src-elem decides before script-src", () => {
  expect(mendedPolicy("script-src *; script-src-elem 'self'", ["script"], STATS)).toBe(
    `script-src *; script-src-elem 'self' ${STATS}`,
  );
});

test("a nonce is found, and the origin of what somebody types", () => {
  expect(nonceIn("script-src 'nonce-r4nd0m' 'strict-dynamic'")).toBe("r4nd0m");
  expect(nonceIn("script-src 'self'")).toBeUndefined();
  expect(originOf("blog.example/about?x")).toBe("https://blog.example");
  expect(originOf("http://localhost:4000/")).toBe("http://localhost:4000");
  expect(["", "  ", "javascript:alert(1)", "ftp://x.example"].map(originOf)).toEqual(
    Array(4).fill(null),
  );
});
