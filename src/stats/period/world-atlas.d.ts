/** Owns: the shape of the map's outlines; as JSON they would be a type of a hundred thousand numbers. */
declare module "world-atlas/countries-110m.json" {
  import type { GeometryCollection, Topology } from "topojson-specification";

  const world: Topology<{ countries: GeometryCollection<{ name: string }> }>;
  export default world;
}
