/**
 * Owns: elements that the page names for counting: `data-footfall-event="Signup" data-footfall-plan="pro"`.
 * Not: what a click on them does.
 */
import type { EventProperties } from "../events.ts";
import { CLICKS } from "./links.ts";
import type { Part } from "./part.ts";

const ATTRIBUTES = "data-footfall-";
const NAME = `${ATTRIBUTES}event`;

/** The other attributes that begin as the name does. */
export function propertiesOf(attributes: Iterable<Pick<Attr, "name" | "value">>): EventProperties {
  const own = [...attributes].filter(({ name }) => name.startsWith(ATTRIBUTES) && name !== NAME);
  return Object.fromEntries(own.map(({ name, value }) => [name.slice(ATTRIBUTES.length), value]));
}

/** A click on a label is followed by one on what it labels, which is the one that counts. */
function isPassedOn(event: Event, element: Element): boolean {
  const target = event.target as Element;
  const control = target.closest("label")?.control;
  return control !== target && !!control && element.contains(control);
}

/** A form counts when it is sent, and everything else when it is clicked; of two in each other, the inner one. */
export const tagged: Part = (core) => {
  core.listen(`${CLICKS} submit`, (event) => {
    if (event.type === "auxclick" && (event as MouseEvent).button !== 1) return;
    const isTagged = (target: EventTarget): target is Element =>
      target instanceof Element &&
      target.hasAttribute(NAME) &&
      (target.localName === "form") === (event.type === "submit");
    const element = event.composedPath().find(isTagged);
    const name = element?.getAttribute(NAME);
    if (element && name && !isPassedOn(event, element))
      core.sendEvent(name, propertiesOf(element.attributes));
  });
};
