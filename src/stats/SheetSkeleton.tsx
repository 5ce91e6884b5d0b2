/** Owns: the sheet before its first numbers: real headings, greys in the shape of rows. */
import { GreyMovements } from "./now/MovementsPanel.tsx";
import { PagesHead } from "./PagesTable.tsx";
import { RowList } from "./period/RowList.tsx";
import { texts } from "./texts.ts";
import { skeletonWidths } from "./viewModel.ts";

const ONLINE_ROWS = 5;
const PAGE_ROWS = 8;

function GreyMetric({ label }: { label: string }) {
  return (
    <div className="metric">
      <dt>{label}</dt>
      <dd className="metric-value">
        <span className="grey-value" />
      </dd>
      <dd className="metric-note">
        <span className="grey-note" />
      </dd>
    </div>
  );
}

function GreyRow({ width, cells }: { width: number; cells: readonly string[] }) {
  return (
    <tr>
      <td className="label">
        <span className="bar" style={{ width: `${width}%` }} />
        <span className="grey-label" style={{ width: `${20 + width / 4}%` }} />
      </td>
      {cells.map((cell) => (
        <td key={cell} className={cell}>
          <span className="grey-number" />
        </td>
      ))}
    </tr>
  );
}

function GreyNow() {
  return (
    <div className="sheet-now">
      <section className="now">
        <h2 className="now-heading">{texts.online.now}</h2>
        <div className="now-row">
          <p className="now-number">
            <span className="grey-online" />
          </p>
        </div>
        <figure className="minutes">
          <p className="minutes-scale">{texts.minutes.noScale}</p>
          <div className="minutes-bars" />
          <p className="minutes-axis">
            <span>{texts.minutes.start}</span>
            <span>{texts.minutes.end}</span>
          </p>
        </figure>
      </section>
      <section className="on-page">
        <table className="rows rows-live">
          <thead>
            <tr>
              <th scope="col">{texts.onPage.page}</th>
              <th scope="col" className="number">
                {texts.onPage.people}
              </th>
            </tr>
          </thead>
          <tbody>
            {skeletonWidths(ONLINE_ROWS).map((width) => (
              <GreyRow key={width} width={width} cells={["number"]} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const PAGE_CELLS = [
  "title-column",
  "type-column",
  "number now-column",
  "number views-column",
  "number share-column",
];

function GreyPages() {
  return (
    <section className="sheet-panel">
      <h2>{texts.pages.heading}</h2>
      <table className="rows rows-pages">
        <PagesHead />
        <tbody>
          {skeletonWidths(PAGE_ROWS).map((width) => (
            <GreyRow key={width} width={width} cells={PAGE_CELLS} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function GreySources() {
  const { dimensions, panels, ranked } = texts.period;
  return (
    <section className="sheet-panel">
      <h2>{panels.sources}</h2>
      <RowList
        caption={dimensions.source}
        columns={[ranked.visits, texts.pages.share]}
        rows={undefined}
        greyRows={PAGE_ROWS}
      />
    </section>
  );
}

function GreyNowPanels() {
  return (
    <div className="sheet-panels">
      <section className="sheet-panel">
        <h2>{texts.curve.heading}</h2>
        <div className="curve-loading" />
      </section>
      <section className="sheet-panel">
        <h2>{texts.movements.heading}</h2>
        <GreyMovements />
      </section>
    </div>
  );
}

export function SheetSkeleton() {
  const { views, visitors, today, posts, pages, since } = texts.metrics;
  return (
    <div className="skeleton" aria-busy="true">
      <div className="sheet-top">
        <h1>{texts.tabTitle}</h1>
        <p className="visually-hidden" role="status">
          {texts.loading}
        </p>
      </div>
      <div className="sheet-grid">
        <GreyNow />
        <section className="metrics">
          <dl>
            {[views, visitors, today, posts, pages, since].map((label) => (
              <GreyMetric key={label} label={label} />
            ))}
          </dl>
        </section>
        <div className="sheet-period">
          <div className="period-loading" />
        </div>
      </div>
      <GreyNowPanels />
      <div className="sheet-panels">
        <GreyPages />
        <GreySources />
      </div>
    </div>
  );
}
