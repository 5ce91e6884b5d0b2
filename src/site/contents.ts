/** Owns: the sections of a Markdown text, for its table of contents. Not: rendering it (Prose.tsx). */
import { slugify } from "markdown-to-jsx/react";

export type Section = { readonly id: string; readonly title: string };

const FENCE = /^(```|~~~)/;
const SECTION = /^##\s+(.+?)\s*#*$/;

/** The "##" headings of the text outside of code, with the ids that the renderer gives them. */
export function sectionsOf(markdown: string): Section[] {
  const sections: Section[] = [];
  let isInCode = false;
  for (const line of markdown.split("\n")) {
    if (FENCE.test(line)) isInCode = !isInCode;
    const title = isInCode ? undefined : SECTION.exec(line)?.[1];
    if (title !== undefined) sections.push({ id: slugify(title), title });
  }
  return sections;
}
