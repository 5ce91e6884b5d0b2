/** Owns: a path as a visitor sent it: text, never markup, and a link only when it leads to a page of this site. */
import { Link } from "react-router-dom";
import { hrefOfPath } from "./safeHref.ts";

export function PathLabel({ path }: { path: string }) {
  const href = hrefOfPath(path);
  // Left to right whatever its letters: a path begins at its slash, or its parts could pass for other ones.
  const text = <bdi dir="ltr">{path}</bdi>;
  if (href === null) {
    return (
      <span className="path" title={path}>
        {text}
      </span>
    );
  }
  return (
    <Link className="path" to={href} title={path}>
      {text}
    </Link>
  );
}
