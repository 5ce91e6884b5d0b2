/** Owns: for each kind a function that takes it and one that returns it. */
import { queryGeneric as query } from "convex/server";
import { v } from "convex/values";
import { KINDS } from "./kinds";

const accepting = (value: any) => query({ args: { value }, handler: async () => "accepted" });
const returning = (returns: any) =>
  query({
    args: { value: v.optional(v.any()) },
    returns,
    handler: async (_ctx, { value }) => value,
  });

/** Results that no validator checks. */
const RESULTS: Record<string, () => any> = {
  nothing: () => undefined,
  map: () => new Map([[1, 2]]),
  date: () => new Date(0),
  functionInside: () => ({ f: () => 1 }),
  undefinedInside: () => ({ a: undefined, b: 1 }),
  undefinedInArray: () => [undefined],
  typed: () => new Uint8Array([1, 2, 3]).subarray(1),
};
export const result = query(async (_ctx, { which }) => RESULTS[which]!());

export const null_in = accepting(KINDS.null);
export const null_out = returning(KINDS.null);
export const int64_in = accepting(KINDS.int64);
export const int64_out = returning(KINDS.int64);
export const float64_in = accepting(KINDS.float64);
export const float64_out = returning(KINDS.float64);
export const boolean_in = accepting(KINDS.boolean);
export const boolean_out = returning(KINDS.boolean);
export const string_in = accepting(KINDS.string);
export const string_out = returning(KINDS.string);
export const bytes_in = accepting(KINDS.bytes);
export const bytes_out = returning(KINDS.bytes);
export const any_in = accepting(KINDS.any);
export const any_out = returning(KINDS.any);
export const commitTs_in = accepting(KINDS.commitTs);
export const commitTs_out = returning(KINDS.commitTs);
export const id_in = accepting(KINDS.id);
export const id_out = returning(KINDS.id);
export const literalText_in = accepting(KINDS.literalText);
export const literalText_out = returning(KINDS.literalText);
export const literalNumber_in = accepting(KINDS.literalNumber);
export const literalNumber_out = returning(KINDS.literalNumber);
export const literalInt64_in = accepting(KINDS.literalInt64);
export const literalInt64_out = returning(KINDS.literalInt64);
export const literalBoolean_in = accepting(KINDS.literalBoolean);
export const literalBoolean_out = returning(KINDS.literalBoolean);
export const array_in = accepting(KINDS.array);
export const array_out = returning(KINDS.array);
export const object_in = accepting(KINDS.object);
export const object_out = returning(KINDS.object);
export const record_in = accepting(KINDS.record);
export const record_out = returning(KINDS.record);
export const union_in = accepting(KINDS.union);
export const union_out = returning(KINDS.union);
export const optional_in = accepting(KINDS.optional);
export const nullable_in = accepting(KINDS.nullable);
export const nullable_out = returning(KINDS.nullable);
