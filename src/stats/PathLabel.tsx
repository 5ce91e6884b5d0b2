/** Owns: a path as a visitor sent it: text, never markup, and a link only when it leads to a page of this site. */
import { Link } from "react-router-dom";
import { hrefOfPath } from "./safeHref.ts";

export function PathLabel({ path }: { path: string }) {
  const href = hrefOfPath(path);
  const text = <bdi>{path}</bdi>;
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
