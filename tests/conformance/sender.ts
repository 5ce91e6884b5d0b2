/** Owns: what a browser is told of where its requests come from. Not: what a hit does with that (received.ts). */
import { describe, expect, test } from "vitest";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";

export function sender(create: CreateRuntime): void {
  describe("GET /v1/sender", () => {
    test("C21: who asks for its own address is told what is believed and what was forwarded, and nothing is kept", () =>
      tell(create, async (site) => {
        const asked = { headers: { "X-Forwarded-For": "203.0.113.9,  198.51.100.7" } };
        const answer = await site.runtime.fetch("/v1/sender", asked, { ip: "192.0.2.44" });
        expect(answer.headers.get("Cache-Control")).toMatch(/no-store/);
        expect(await answer.json()).toEqual({
          address: "192.0.2.44",
          isPublic: true,
          forwardedFor: ["203.0.113.9", "198.51.100.7"],
        });
        const near = await site.runtime.fetch("/v1/sender", {}, { ip: "10.0.0.7" });
        expect(await near.json()).toEqual({
          address: "10.0.0.7",
          isPublic: false,
          forwardedFor: [],
        });
        for (const table of ["pageViews", "visitors", "filteredHits", "wake"] as const) {
          expect(await site.runtime.rows(table)).toEqual([]);
        }
      }));
  });
}
