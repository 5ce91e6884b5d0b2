/** Owns: the title of the browser's tab. */
import { useEffect } from "react";
import { texts } from "./texts.ts";

/** Null while the title is not known yet: the last one stays until then. */
export function usePageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return;
    document.title = title.includes(texts.name) ? title : `${title} · ${texts.name}`;
  }, [title]);
}
