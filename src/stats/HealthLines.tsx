/** Owns: the last lines of the sheet, about the machine itself. Not: which there are (health.ts). */
import { formatDay, formatTime } from "./formats.ts";
import type { Zoned } from "./formats.ts";
import { healthLines } from "./health.ts";
import type { HealthLine } from "./health.ts";
import { texts } from "./texts.ts";
import type { KnownHealth } from "./useHealth.ts";

function wordsOf(line: HealthLine, site: Zoned): string {
  const when = (at: number) => `${formatDay(at, site)}, ${formatTime(at, site)}`;
  switch (line.kind) {
    case "behind":
      return texts.health.behind(line.lagMs);
    case "remaking":
    case "proving":
      return texts.health[line.kind](line.done, line.left, line.etaMs);
    case "stopped":
      return texts.health.stopped[line.job];
    case "setAside":
      return texts.health.setAside(line.rows);
    case "proved":
      return texts.health.proved(when(line.at), line.views, line.day);
    case "drift":
      return texts.health.drift(when(line.at), line.figures);
    case "repaired":
      return texts.health.repaired(when(line.at));
    default:
      return line satisfies never;
  }
}

export function HealthLines({ health, site }: { health: KnownHealth; site: Zoned }) {
  const lines = healthLines(health);
  if (lines.length === 0) return null;
  return (
    <section className="notice" aria-label={texts.health.label}>
      {lines.map((line) => (
        <p className="notice-text tabular" key={line.kind}>
          {wordsOf(line, site)}
        </p>
      ))}
    </section>
  );
}
