/** Owns: who came, moved on and went, as rows. Not: drawing them (MovementsPanel.tsx), or noting them (convex/model/movements.ts). */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";
import { valueLabel } from "../period/values.ts";
import { texts } from "../texts.ts";

export type Movement = NonNullable<FunctionReturnType<typeof api.now.movements>>[number];

export type MovementRow = {
  /** Stays with the row while others come above it. */
  readonly key: string;
  readonly at: number;
  readonly kind: Movement["kind"];
  readonly path: string;
  /** Where one who moved was before. */
  readonly from: string | null;
  /** What the reports say of such a visit; "" when nothing. */
  readonly detail: string;
};

export function movementRows(movements: readonly Movement[]): MovementRow[] {
  const alike = new Map<string, number>();
  // From the oldest on: what comes later must not rename what is there.
  const rows = [...movements].reverse().map((movement) => {
    const { at, kind, path, from = null } = movement;
    const told = JSON.stringify([at, kind, path, from]);
    const nth = (alike.get(told) ?? 0) + 1;
    alike.set(told, nth);
    return { key: `${told} ${nth}`, at, kind, path, from, detail: detailOf(movement) };
  });
  return rows.reverse();
}

function detailOf({ source, country, device, sessions = 1 }: Movement): string {
  const said = [
    sessions > 1 ? texts.movements.people(sessions) : null,
    source === undefined ? null : valueLabel("source", source),
    country === undefined ? null : valueLabel("country", country),
    device ?? null,
  ];
  return said.filter((one) => one !== null).join(" · ");
}
