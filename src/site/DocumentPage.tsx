/** Owns: one post or page, read live from Convex. Not: how Markdown becomes elements (Prose.tsx). */
import { useQuery_experimental as useQueryState } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { useEffect } from "react";
import { useLocation, useParams } from "react-router-dom";
import { api } from "../../convex/_generated/api.js";
import { readableDate } from "./dates.ts";
import { MissingPage } from "./MissingPage.tsx";
import { sectionsOf } from "./contents.ts";
import { OptOutSwitch } from "./OptOutSwitch.tsx";
import { Prose } from "./Prose.tsx";
import "./prose.css";
import { Failed, Loading } from "./states.tsx";
import { texts } from "./texts.ts";
import { usePageTitle } from "./usePageTitle.ts";

/** The page that explains what is stored is where one says no to it. */
const PRIVACY_PATH = "/privacy";

type Kind = "post" | "page";
type ContentDocument = NonNullable<FunctionReturnType<typeof api.content.getDocument>>;

function DocumentSkeleton() {
  return (
    <Loading>
      <div className="document">
        <div className="document-header">
          <span className="grey grey-heading" />
          <span className="grey grey-line" />
        </div>
        <div className="document-margin">
          <span className="grey grey-meta" />
        </div>
        <div className="document-body">
          <span className="grey grey-line" />
          <span className="grey grey-line" />
          <span className="grey grey-line" />
          <span className="grey grey-line grey-short" />
        </div>
      </div>
    </Loading>
  );
}

/** The browser looked for the fragment's target before the text had arrived. */
function useFragment(isThere: boolean) {
  const { hash } = useLocation();
  useEffect(() => {
    if (!isThere || hash === "") return;
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [isThere, hash]);
}

/** How often the page has been viewed, ever; its place is kept while that is not known yet. */
function ViewCount({ path }: { path: string }) {
  const state = useQueryState({ query: api.stats.countViews, args: { path } });
  if (state.status === "pending") return <span aria-hidden="true">{"\u00a0"}</span>;
  if (state.status === "error") return <span>{texts.viewsUnknown}</span>;
  return <span data-stat="views">{texts.views(state.data.views)}</span>;
}

/** What stands beside the text where there is room: its date and its contents. */
function DocumentMargin({ document }: { document: ContentDocument }) {
  const sections = sectionsOf(document.body);
  return (
    <div className="document-margin">
      {document.date !== null && (
        <p className="posts-meta tabular">
          <time dateTime={document.date}>{readableDate(document.date)}</time>
          <span>{texts.minutes(document.readMinutes)}</span>
          <ViewCount path={document.path} />
        </p>
      )}
      <nav aria-label={texts.contents}>
        <ol>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
    </div>
  );
}

function DocumentBody({ document }: { document: ContentDocument }) {
  return (
    <article className="document">
      <header className="document-header">
        <h1>{document.title}</h1>
        <p className="document-description">{document.description}</p>
      </header>
      <DocumentMargin document={document} />
      <div className="document-body">
        <Prose markdown={document.body} />
        {document.path === PRIVACY_PATH && <OptOutSwitch />}
      </div>
    </article>
  );
}

export default function DocumentPage({ kind }: { kind: Kind }) {
  const { slug = "" } = useParams();
  const state = useQueryState({ query: api.content.getDocument, args: { kind, slug } });
  const document = state.status === "success" ? state.data : null;
  usePageTitle(document === null ? null : document.title);
  useFragment(document !== null);
  if (state.status === "pending") return <DocumentSkeleton />;
  if (state.status === "error") return <Failed error={state.error} />;
  if (document === null) return <MissingPage />;
  return <DocumentBody document={document} />;
}
