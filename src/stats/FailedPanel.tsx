/** Owns: a failure in the place of what failed: cause, way out, code. Not: catching it (PanelBoundary.tsx). */
import { failureOf } from "./failures.ts";
import { texts } from "./texts.ts";

type Props = {
  title: string;
  /** The function that failed, for whoever reads the log. */
  source: string;
  error: Error;
  retry: () => void;
};

export function FailedPanel({ title, source, error, retry }: Props) {
  const { message, code } = failureOf(error);
  if (code === "not_of_segment") return <p className="panel-note">{texts.segment.notTold}</p>;
  return (
    <div className="failure" role="alert">
      <h2>{title}</h2>
      <p>{message}</p>
      <p className="failure-foot">
        <button type="button" className="button" onClick={retry}>
          {texts.failed.retry}
        </button>
        <code>
          {code} · {source}
        </code>
      </p>
    </div>
  );
}
