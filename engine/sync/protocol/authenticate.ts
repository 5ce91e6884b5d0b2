/** Owns: the message Authenticate: as whom this connection acts from now on. Not: whether that is true (auth/). */
import { isFields, readCount, readString, refuse, type Fields } from "./fields.ts";

/** Tokens of identity providers with many claims stay below this. */
const MAX_TOKEN_CHARACTERS = 65_536;

export type Authenticate = { readonly type: "Authenticate"; readonly baseVersion: number } & (
  | { readonly tokenType: "None" }
  | { readonly tokenType: "User"; readonly value: string }
  | { readonly tokenType: "Admin"; readonly value: string; readonly impersonating: Fields | null }
);

export function parseAuthenticate(fields: Fields): Authenticate {
  const common = { type: "Authenticate", baseVersion: readCount(fields, "baseVersion") } as const;
  switch (fields["tokenType"]) {
    case "None":
      return { ...common, tokenType: "None" };
    case "User":
      return {
        ...common,
        tokenType: "User",
        value: readString(fields, "value", MAX_TOKEN_CHARACTERS),
      };
    case "Admin": {
      const impersonating = fields["impersonating"] ?? null;
      if (impersonating !== null && !isFields(impersonating))
        refuse("impersonating", impersonating, "an object");
      const value = readString(fields, "value", MAX_TOKEN_CHARACTERS);
      return { ...common, tokenType: "Admin", value, impersonating };
    }
    default:
      return refuse("tokenType", fields["tokenType"], '"None", "User" or "Admin"');
  }
}
