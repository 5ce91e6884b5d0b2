/** Owns: what stands around every page: header, main landmark, footer, focus and scroll after a navigation. */
import { useEffect, useRef } from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router-dom";
import { texts } from "./texts.ts";
import { ThemeToggle } from "./ThemeToggle.tsx";

const MAIN_ID = "main";

function Mark() {
  return (
    <svg className="mark" viewBox="0 0 12 20" width="12" height="20" aria-hidden="true">
      <rect className="mark-then" x="0" y="8" width="5" height="11" rx="2" />
      <rect className="mark-now" x="7" y="1" width="5" height="11" rx="2" />
    </svg>
  );
}

function Header() {
  return (
    <header className="site-header">
      <div className="site-header-row">
        <Link to="/" className="brand">
          <Mark />
          {texts.name}
        </Link>
        <nav aria-label={texts.nav}>
          <NavLink to="/posts">{texts.links.posts}</NavLink>
          <NavLink to="/about">{texts.links.about}</NavLink>
          <NavLink to="/stats">{texts.links.stats}</NavLink>
        </nav>
        <ThemeToggle />
      </div>
    </header>
  );
}

function Footer() {
  return (
    <footer className="site-footer">
      <span>{texts.footer.noCookies}</span>
      <span className="site-footer-links">
        <Link to="/posts/how-footfall-counts">{texts.home.howItCounts}</Link>
        <Link to="/posts/install-footfall">{texts.footer.install}</Link>
        <Link to="/privacy">{texts.footer.privacy}</Link>
      </span>
    </footer>
  );
}

/** A route change in a single page tells a screen reader nothing: move focus to the new content, as a load would. */
function useFocusOnNavigation() {
  const { pathname } = useLocation();
  const mainRef = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    if (window.location.hash !== "") return;
    window.scrollTo(0, 0);
    mainRef.current?.focus({ preventScroll: true });
  }, [pathname]);
  return mainRef;
}

export function Layout() {
  const mainRef = useFocusOnNavigation();
  return (
    <>
      <a className="skip-link" href={`#${MAIN_ID}`}>
        {texts.skip}
      </a>
      <Header />
      <main id={MAIN_ID} ref={mainRef} tabIndex={-1}>
        <Outlet />
      </main>
      <Footer />
    </>
  );
}
