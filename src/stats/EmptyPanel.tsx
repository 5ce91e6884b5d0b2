/** Owns: the first day: what to do, and checks that tick themselves. Not: the zeros, which the other panels show. */
import { Link, useLocation } from "react-router-dom";
import type { Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import type { Fullness } from "./viewModel.ts";

type CheckState = "done" | "waiting" | "later";

function Check({ state, text }: { state: CheckState; text: readonly [string, string] }) {
  const [title, detail] = text;
  const { done, open } = texts.empty.checks;
  return (
    <li className="check" data-state={state}>
      {state === "done" ? (
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M2.5 8.5l3.5 3.5 7.5-8" fill="none" stroke="currentColor" strokeWidth="1.75" />
        </svg>
      ) : (
        <span className={state === "waiting" ? "dot" : "ring"} aria-hidden="true" />
      )}
      <div>
        <p className="check-title">
          {title}
          <span className="visually-hidden">, {state === "done" ? done : open}</span>
        </p>
        <p className="check-detail">{detail}</p>
      </div>
    </li>
  );
}

function Checks({ stats, isConnected }: { stats: Stats; isConnected: boolean }) {
  const { label, server, content, contentDetail, view } = texts.empty.checks;
  const { publishedPosts, publishedPages } = stats;
  const hasContent = publishedPosts + publishedPages > 0;
  return (
    <ul className="checks" aria-label={label}>
      <Check state={isConnected ? "done" : "waiting"} text={server} />
      <Check
        state={hasContent ? "done" : "later"}
        text={[content, contentDetail(publishedPosts, publishedPages)]}
      />
      <Check state={isConnected ? "waiting" : "later"} text={view} />
    </ul>
  );
}

type Props = {
  stats: Stats;
  isConnected: boolean;
  fullness: Exclude<Fullness, "counted">;
};

export function EmptyPanel({ stats, isConnected, fullness }: Props) {
  const {
    heading,
    onlyThisPage,
    explain,
    openSite,
    inTab,
    code,
    guide,
    guideLink,
    help,
    helpLink,
  } = texts.empty;
  const { search, hash } = useLocation();
  return (
    <section className="empty" aria-labelledby="empty-heading">
      <div>
        <h2 id="empty-heading">{fullness === "empty" ? heading : onlyThisPage}</h2>
        <p>{explain}</p>
        <pre tabIndex={0}>
          <code>{code}</code>
        </pre>
        <p>
          <a href="/" target="_blank" rel="noopener">
            {openSite}
          </a>{" "}
          {inTab} {guide} <Link to="/posts/install-footfall">{guideLink}</Link>.
        </p>
        <p>
          {help} <Link to={{ pathname: "/help", search, hash }}>{helpLink}</Link>.
        </p>
      </div>
      <Checks stats={stats} isConnected={isConnected} />
    </section>
  );
}
