/** Owns: one post or page, read live from Convex. Not: how Markdown becomes elements (Prose.tsx). */
import { useQuery_experimental as useQueryState } from "convex/react";
import type { FunctionReturnType } from "convex/server";
import { useEffect } from "react";
import { useLocation, useParams } from "react-router-dom";
import { api } from "../../convex/_generated/api.js";
import { readableDate } from "./dates.ts";
import { MissingPage } from "./MissingPage.tsx";
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
      <div className="column document">
        <span className="grey grey-heading" />
        <span className="grey grey-meta" />
        <span className="grey grey-line" />
        <span className="grey grey-line" />
        <span className="grey grey-line" />
        <span className="grey grey-line grey-short" />
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

function DocumentBody({ document }: { document: ContentDocument }) {
  return (
    <article className="column document">
      <header className="document-header">
        <h1>{document.title}</h1>
        <p className="document-description">{document.description}</p>
        {document.date !== null && (
          <p className="posts-meta tabular">
            <time dateTime={document.date}>{readableDate(document.date)}</time>
            <span>{texts.minutes(document.readMinutes)}</span>
          </p>
        )}
      </header>
      <Prose markdown={document.body} />
      {document.path === PRIVACY_PATH && <OptOutSwitch />}
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
