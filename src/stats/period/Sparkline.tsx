/** Owns: the course of a figure in a line as high as a word. Not: its values; they stand in the trend's table. */
const WIDTH = 100;
const HEIGHT = 24;

export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 2) return <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} />;
  const most = Math.max(...values);
  const least = Math.min(...values);
  const range = most - least || 1;
  const points = values.map((value, place) => {
    const x = (place / (values.length - 1)) * WIDTH;
    const y = most === least ? HEIGHT / 2 : HEIGHT - 2 - ((value - least) / range) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      <polyline points={points.join(" ")} />
    </svg>
  );
}
