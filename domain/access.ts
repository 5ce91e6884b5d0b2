/** Owns: who may read a site's statistics. Not: checking it (convex/model/access.ts). */

export const ACCESS_MODES = ["public", "token", "operator"] as const;
export type Access = (typeof ACCESS_MODES)[number];

/** For the operator who chooses. */
export const ACCESS_MEANINGS: Readonly<Record<Access, string>> = {
  public: "Everybody may read its statistics.",
  token:
    "Its statistics are read with a token of the site: npm run sites -- add-token SLUG makes one, and /stats#token=… reads with it.",
  operator:
    "Its statistics are for operators alone: npx convex run operators:getStats and the other functions of operators.",
};
