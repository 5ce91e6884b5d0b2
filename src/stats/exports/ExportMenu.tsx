/** Owns: choosing what to take away of the period, and how far it is. Not: the files (files.ts). */
import { useConvex } from "convex/react";
import { useState } from "react";
import { useReaderArguments } from "../readerToken.ts";
import { failureOf } from "../failures.ts";
import { useIsSegmentAlone } from "../segment/alone.ts";
import { texts } from "../texts.ts";
import type { Period } from "../period/usePeriod.ts";
import type { ExportFormat } from "./files.ts";
import { namesFor } from "./reports.ts";
import type { ExportName } from "./reports.ts";

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "working"; readonly done: number; readonly total: number }
  | { readonly kind: "failed"; readonly reason: string };

type Props = { period: Period; site: string };

function useExport({ period, site }: Props) {
  const client = useConvex();
  const reader = useReaderArguments();
  const [state, setState] = useState<State>({ kind: "idle" });
  const isOfSegment = useIsSegmentAlone();
  const { span, unit, calendar, asked } = period;
  async function run(format: ExportFormat, name: ExportName): Promise<void> {
    setState({ kind: "working", done: 0, total: 1 });
    try {
      const { makeFile, saveFile } = await import("./files.ts");
      const question = { span, unit, calendar, filter: asked.filter, isOfSegment, reader };
      const wanted = { format, name, period: asked.period, site };
      const file = await makeFile(client, question, wanted, (done, total) =>
        setState({ kind: "working", done, total }),
      );
      saveFile(file);
      setState({ kind: "idle" });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      setState({ kind: "failed", reason: failureOf(failure).message });
    }
  }
  return { state, run: (format: ExportFormat, name: ExportName) => void run(format, name) };
}

export function ExportMenu(props: Props) {
  const { state, run } = useExport(props);
  const [name, setName] = useState<ExportName>("figures");
  const names = namesFor(useIsSegmentAlone());
  const { exports: words } = texts.period;
  const isBusy = state.kind === "working";
  return (
    <details className="export">
      <summary className="quiet-button">{words.open}</summary>
      <div className="export-menu">
        <label>
          {words.report}
          <select value={name} onChange={({ target }) => setName(target.value as ExportName)}>
            {names.map((one) => (
              <option key={one} value={one}>
                {words.names[one]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={isBusy} onClick={() => run("csv", name)}>
          {words.csv}
        </button>
        <button type="button" disabled={isBusy} onClick={() => run("zip", name)}>
          {words.zip}
        </button>
        <button type="button" disabled={isBusy} onClick={() => run("json", name)}>
          {words.json}
        </button>
        <p role="status">
          {state.kind === "working" && words.working(state.done, state.total)}
          {state.kind === "failed" && words.failed(state.reason)}
        </p>
      </div>
    </details>
  );
}
