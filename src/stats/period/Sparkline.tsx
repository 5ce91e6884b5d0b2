/** Owns: the course of a figure, as high as a word. Not: its values; they stand in the trend's table. */
const WIDTH = 100;
const HEIGHT = 24;

type Props = {
  /** Null where it is not measured: there the line has a gap. */
  values: readonly (number | null)[];
};

export function Sparkline({ values }: Props) {
  const measured = values.filter((value) => value !== null);
  const most = Math.max(...measured);
  const least = Math.min(...measured);
  const heightOf = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - 2 - ((value - least) / (most - least)) * (HEIGHT - 4);
  const runs: string[][] = [[]];
  for (const [place, value] of values.entries()) {
    const x = (place / (values.length - 1)) * WIDTH;
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${x.toFixed(1)},${heightOf(value).toFixed(1)}`);
  }
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      {runs
        .filter((run) => run.length > 1)
        .map((run) => (
          <polyline key={run[0]} points={run.join(" ")} />
        ))}
    </svg>
  );
}
