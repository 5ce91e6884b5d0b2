/** Owns: the front page. Not: the list of posts itself (PostList.tsx). */
import { Link } from "react-router-dom";
import { PostList } from "./PostList.tsx";
import { texts } from "./texts.ts";
import { usePageTitle } from "./usePageTitle.ts";

/** What a newcomer types; the line that `npm start` prints when the site answers. */
const FIRST_COMMAND = "npm start";

export function HomePage() {
  usePageTitle(texts.home.title);
  return (
    <>
      <section className="hero">
        <h1>{texts.home.lead}</h1>
        <p className="hero-pitch">{texts.home.pitch}</p>
        <pre className="hero-command">
          <code>{FIRST_COMMAND}</code>
        </pre>
        <p className="hero-links">
          <Link to="/stats">{texts.home.seeStats}</Link>
          <Link to="/posts/how-footfall-counts">{texts.home.howItCounts}</Link>
        </p>
      </section>
      <section className="panel" aria-labelledby="writing">
        <h2 id="writing">{texts.home.writing}</h2>
        <PostList />
      </section>
    </>
  );
}
