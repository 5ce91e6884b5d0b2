/** Owns: the properties of one event below its row, each with its most frequent values. Not: the event. */
import { api } from "../../../convex/_generated/api.js";
import { formatCount, formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import { shareOf } from "../viewModel.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { filterArgument } from "./filtering.ts";
import type { EventProperties } from "./panels.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import { useReport } from "./useReport.ts";

const VALUES_OF_A_KEY = 5;
/** What pages send is anything: a key made of a number would be a row for each. */
const MOST_KEYS = 12;

type Property = EventProperties["properties"][number];

type BelowProps = { name: string; label: string; events: number; share?: string };

/** `share`: missing on the row of a key, whose values stand below it. */
function Below({ name, label, events, share }: BelowProps) {
  return (
    <tr className="below" data-is-key={share === undefined} data-value={name}>
      <th scope="row">
        <span className="path">
          <bdi>{label}</bdi>
        </span>
      </th>
      <td className="number views-column">{formatCount(events)}</td>
      <td className="number share-column">{share}</td>
    </tr>
  );
}

function PropertyRows({ property }: { property: Property }) {
  const { key, events, values, restEvents } = property;
  return (
    <>
      <Below name={key} label={key} events={events} />
      {values.map(({ value, ...one }) => (
        <Below
          key={value}
          name={`${key}: ${value}`}
          label={value === "" ? texts.period.events.empty : value}
          events={one.events}
          share={formatShare(shareOf(one.events, events))}
        />
      ))}
      {restEvents > 0 && (
        <Below
          name={key}
          label={texts.period.restOther}
          events={restEvents}
          share={formatShare(shareOf(restEvents, events))}
        />
      )}
    </>
  );
}

function Words({ text }: { text: string }) {
  return (
    <tr className="below">
      <td colSpan={3}>{text}</td>
    </tr>
  );
}

type Props = { name: string; range: Span; filter: Filter };

export function EventPropertyRows({ name, range, filter }: Props) {
  const { from, until } = range;
  const limit = VALUES_OF_A_KEY;
  const asked = { range: { from, until }, name, limit, ...filterArgument(filter) };
  const { report } = useReport(api.reports.eventProperties, asked, name);
  const { events } = texts.period;
  if (report === undefined) return <Words text={events.loading} />;
  const { properties } = report;
  if (properties.length === 0) return <Words text={events.noProperties} />;
  return (
    <>
      {properties.slice(0, MOST_KEYS).map((property) => (
        <PropertyRows key={property.key} property={property} />
      ))}
      {properties.length > MOST_KEYS && (
        <Words text={events.moreProperties(properties.length - MOST_KEYS)} />
      )}
    </>
  );
}
