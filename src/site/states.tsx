/** Owns: what a page shows while its content is not there: loading, unreachable, failed. Not: the content. */
import type { ReactNode } from "react";
import { useConnection } from "../shared/connection.ts";
import { texts } from "./texts.ts";

/** Greys in the shape of what will come; once nothing answers for a while, a sentence instead. */
export function Loading({ children }: { children: ReactNode }) {
  const { state } = useConnection();
  if (state === "unreachable" || state === "lost") {
    return (
      <p className="quiet" role="status">
        {texts.waiting}
      </p>
    );
  }
  return (
    <div>
      <span className="visually-hidden" role="status">
        {texts.loading}
      </span>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export function Failed({ error }: { error: Error }) {
  return (
    <section className="failed" role="alert">
      <h2>{texts.failed.title}</h2>
      <p>{error.message}</p>
      <button type="button" className="button" onClick={() => window.location.reload()}>
        {texts.failed.retry}
      </button>
    </section>
  );
}
