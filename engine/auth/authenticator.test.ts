import { describe, expect, test } from "vitest";
import { createAdminKey, isAdminKeyForm } from "./admin-key.ts";
import { Authenticator } from "./authenticator.ts";
import { AuthRefused } from "./auth-refused.ts";

const key = createAdminKey();
const authenticator = new Authenticator(key, {
  async verify(token) {
    if (token !== "good") throw new AuthRefused("InvalidAuthHeader", "no token");
    return { identity: { subject: "ada" }, expiresAt: 1 };
  },
});

describe("who a caller is", () => {
  test("nobody without a header", async () => {
    expect(await authenticator.fromHeader(undefined)).toEqual({ kind: "visitor", identity: null });
  });

  test("an admin with the key, acting as whom they say", async () => {
    expect(await authenticator.fromHeader(`Convex ${key}`)).toEqual({
      kind: "admin",
      identity: null,
    });
    const identity = Buffer.from(JSON.stringify({ subject: "né" })).toString("base64");
    expect(await authenticator.fromHeader(`Convex ${key}:${identity}`)).toEqual({
      kind: "admin",
      identity: { subject: "né" },
    });
  });

  test("a user with a token that holds", async () => {
    expect(await authenticator.fromHeader("Bearer good")).toEqual({
      kind: "visitor",
      identity: { subject: "ada" },
      token: "good",
    });
  });

  const refused = [
    `Convex ${key}0`,
    "Convex ",
    `Convex ${key}:!!`,
    `Convex ${key}:W10=`,
    "Bearer a.b.c",
    "Basic eA==",
    key,
  ];
  test.each(refused)("refused with %s", async (header) => {
    await expect(authenticator.fromHeader(header)).rejects.toBeInstanceOf(AuthRefused);
  });

  test("a key of this engine has its form, and no two are the same", () => {
    expect(isAdminKeyForm(key)).toBe(true);
    expect(isAdminKeyForm(`${key} `)).toBe(false);
    expect(createAdminKey()).not.toBe(key);
  });
});
