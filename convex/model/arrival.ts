/** Owns: a view that a site takes, with all that is known of it at the door. Not: what becomes of it (views.ts, nobody.ts). */
import type { ClientFacts } from "../../domain/dimensions/view.ts";
import type { Admitted } from "./admission.ts";

export type Arrival = Admitted & {
  client: ClientFacts;
  /** By the header that the site trusts; null where there is none, as in every call of a Convex client. */
  countryHeader: string | null;
};
