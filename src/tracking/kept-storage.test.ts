import { describe, expect, test } from "vitest";
import { createKeptStorage } from "./kept-storage.ts";
import { BlockedStorage, FakeStorage, FullStorage } from "./storage.helpers.ts";

describe("what is kept in the browser", () => {
  test("is read back, removed and listed by how its key begins", () => {
    const storage = FakeStorage.of({ other: "1" });
    const kept = createKeptStorage(() => storage);
    expect(kept.write("a:1", "x")).toBe(true);
    expect(kept.read("a:1")).toBe("x");
    expect(kept.keysFrom("a:")).toEqual(["a:1"]);
    kept.remove("a:1");
    expect(kept.read("a:1")).toBe("");
    expect(storage.getItem("other")).toBe("1");
  });

  test.each([
    { name: "blocked", open: () => new BlockedStorage() },
    { name: "full", open: () => new FullStorage() },
    {
      name: "out of reach",
      open: (): FakeStorage => {
        throw new Error("SecurityError: Access is denied for this document.");
      },
    },
  ])("lasts as long as the page when storage is $name, and nothing is thrown", ({ open }) => {
    const kept = createKeptStorage(open);
    expect(kept.read("a:1")).toBe("");
    expect(kept.write("a:1", "x")).toBe(false);
    expect(kept.read("a:1")).toBe("x");
    expect(kept.keysFrom("a:")).toEqual(["a:1"]);
    kept.remove("a:1");
    expect(kept.read("a:1")).toBe("");
  });

  test("goes back to the browser as soon as there is room again", () => {
    const full = new FullStorage();
    const roomy = new FakeStorage();
    let storage: FakeStorage = full;
    const kept = createKeptStorage(() => storage);
    kept.write("a", "1");
    storage = roomy;
    expect(kept.write("a", "2")).toBe(true);
    expect(kept.read("a")).toBe("2");
    expect(roomy.getItem("a")).toBe("2");
  });
});
