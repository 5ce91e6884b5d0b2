/**
 * Owns: `footfall("optout")` and `footfall("optin")`, for a page with a switch.
 * Not: what opting out means (visitor.ts). The flag is kept also for who is private: it is their own wish.
 */
import { createKeptStorage } from "../kept-storage.ts";
import { optInTo, optOutOf } from "../visitor.ts";
import type { ScriptCore } from "./part.ts";

export function optOut({ commands, inMemory, look }: ScriptCore): void {
  const storage = createKeptStorage(() => localStorage, inMemory);
  commands.optout = () => {
    optOutOf(storage);
    look();
  };
  commands.optin = () => {
    optInTo(storage);
    look();
  };
}
