/** Owns: thirty small bars, their scale, and the sentence that stands for them. Not: which minutes (minutes.ts). */
import { formatTime, type Zoned } from "./formats.ts";
import { scaleTop, type MinuteBar } from "./minutes.ts";
import { texts } from "./texts.ts";

type Props = {
  bars: readonly MinuteBar[];
  zone: Zoned;
  /** What the last bar is called: it is this minute only while the numbers are live. */
  end: string;
};

export function MinuteBars({ bars, zone, end }: Props) {
  const top = scaleTop(bars);
  const total = bars.reduce((sum, { views }) => sum + views, 0);
  const most = Math.max(...bars.map(({ views }) => views), 0);
  return (
    <figure className="minutes">
      <figcaption className="visually-hidden">{texts.minutes.sentence(total, most)}</figcaption>
      <div aria-hidden="true">
        <p className="minutes-scale tabular">
          {total === 0 ? texts.minutes.noScale : texts.minutes.scale(top)}
        </p>
        <div className="minutes-bars">
          {bars.map(({ startedAt, views, isCurrent }) => (
            <span
              key={startedAt}
              className="minute"
              title={texts.minutes.bar(formatTime(startedAt, zone), views)}
            >
              {views > 0 && (
                <span
                  className="minute-bar"
                  data-current={isCurrent}
                  style={{ height: `${(views / top) * 100}%` }}
                />
              )}
            </span>
          ))}
        </div>
        <p className="minutes-axis">
          <span>{texts.minutes.start}</span>
          <span className="minutes-now">{end}</span>
        </p>
      </div>
    </figure>
  );
}
