/** Owns: the strip that says that the numbers are not live. Not: finding that out (src/shared/connection.ts). */
import type { Connection } from "../shared/connection.ts";
import { formatSeconds, type Zoned } from "./formats.ts";
import { texts } from "./texts.ts";

/** Before the site's zone is known there are no numbers either, and no time to name. */
type Props = { connection: Connection; zone: Zoned | null };

function stripText({ connection, zone }: Props): { title: string; detail: string } | null {
  switch (connection.state) {
    case "connecting":
    case "live":
      return null;
    case "lost":
      if (zone !== null) {
        const { lost, lostDetail } = texts.connection;
        return { title: lost, detail: lostDetail(formatSeconds(connection.since, zone)) };
      }
      return { title: texts.connection.lost, detail: texts.connection.unreachableDetail };
    case "unreachable":
      return { title: texts.connection.unreachable, detail: texts.connection.unreachableDetail };
    default:
      return connection satisfies never;
  }
}

/** The region is always there: one that is inserted together with its text is not read aloud. */
export function ConnectionStrip(props: Props) {
  const text = stripText(props);
  return (
    <div role="status">
      {text !== null && (
        <div className="strip">
          <span className="ring" aria-hidden="true" />
          <p>
            <strong>{text.title}</strong> {text.detail}
          </p>
        </div>
      )}
    </div>
  );
}
