/** Owns: the answer to an address at which nothing is published. */
import { Link, useLocation } from "react-router-dom";
import { texts } from "./texts.ts";
import { usePageTitle } from "./usePageTitle.ts";

export function MissingPage() {
  const { pathname } = useLocation();
  usePageTitle(texts.missing.title);
  return (
    <div className="column">
      <h1 className="page-title">{texts.missing.title}</h1>
      <p className="quiet">{texts.missing.explain(pathname)}</p>
      <p className="quiet">
        {texts.missing.next} <Link to="/posts">{texts.missing.posts}</Link>
        {texts.missing.or} <Link to="/">{texts.missing.home}</Link>.
      </p>
    </div>
  );
}
