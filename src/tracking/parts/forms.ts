/**
 * Owns: forms that a reader sends: which one, and to where. Not: what is in them: no field is ever read.
 */
import { addressOf } from "./links.ts";
import type { Part } from "./part.ts";

export const forms: Part = (core) => {
  core.listen("submit", (event) => {
    // Attributes, because a field may be called "action" or "id", and then stands in the property's place.
    const form = event.composedPath()[0] as Element;
    if (form.getAttribute("method") === "dialog") return;
    const link = document.createElement("a");
    link.href =
      (event as SubmitEvent).submitter?.getAttribute("formaction") ||
      form.getAttribute("action") ||
      location.href;
    const id = form.getAttribute("id");
    core.sendEvent("Form submit", { action: addressOf(link), ...(id && { id }) });
  });
};
