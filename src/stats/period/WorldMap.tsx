/**
 * Owns: the world with its countries shaded by a count; a click on one chooses it.
 * Not: which counts (places.ts), or when it is loaded (CountryMap.tsx): with the outlines it is larger than the rest of
 * the page. The list below has the same by keyboard, and places that are too small to be drawn.
 */
import { geoEqualEarth, geoPath } from "d3-geo";
import { useMemo } from "react";
import { feature } from "topojson-client";
import world from "world-atlas/countries-110m.json";
import { texts } from "../texts.ts";
import { MAP_HEIGHT, MAP_WIDTH } from "./mapSize.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import { mapInWords, placesOf } from "./places.ts";

/** Nobody lives there, and it is a third of the height. */
const ANTARCTICA = "010";

type Outline = { readonly id: string; readonly name: string; readonly path: string };

function outlinesOf(): Outline[] {
  const all = feature(world, world.objects.countries);
  const features = all.features.filter(({ id }) => id !== ANTARCTICA);
  const projection = geoEqualEarth().fitSize([MAP_WIDTH, MAP_HEIGHT], { ...all, features });
  const draw = geoPath(projection).digits(1);
  return features.map((one) => ({
    // Some have no number: Kosovo, Northern Cyprus, Somaliland.
    id: String(one.id ?? one.properties.name),
    name: one.properties.name,
    path: draw(one) ?? "",
  }));
}

const OUTLINES = outlinesOf();

type Props = {
  breakdown: Breakdown;
  rankBy: RankBy;
  isChosen: (country: string) => boolean;
  choose: (country: string) => void;
};

export default function WorldMap({ breakdown, rankBy, isChosen, choose }: Props) {
  const { map, ranked } = texts.period;
  const places = useMemo(() => placesOf(breakdown, rankBy), [breakdown, rankBy]);
  return (
    <svg
      className="world"
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label={mapInWords(places, rankBy)}
    >
      {OUTLINES.map(({ id, name, path }) => {
        const place = places.get(id);
        if (place === undefined) return <path key={id} d={path} data-step={0} />;
        const { country, count, step } = place;
        return (
          <path
            key={id}
            d={path}
            data-step={step}
            data-country={country}
            data-chosen={isChosen(country)}
            onClick={() => choose(country)}
          >
            <title>{map.country(place.name || name, count, ranked[rankBy])}</title>
          </path>
        );
      })}
    </svg>
  );
}
