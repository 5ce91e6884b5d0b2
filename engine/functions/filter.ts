/**
 * Owns: evaluating the expression of `.filter(q => …)` on a document.
 * Not: ranges of an index (catalog/index-range.ts).
 */
import { FunctionError } from "../errors.ts";
import { compareValues, fieldAt } from "../values/keys.ts";
import { kindOf, toFloat64, toInt64 } from "../values/kinds.ts";
import type { JSONObject, JSONValue } from "../values/kinds.ts";

type Value = JSONValue | undefined;
type Operands = readonly JSONValue[];

export function passes(document: JSONValue, expression: JSONValue): boolean {
  return isTruthy(evaluate(document, expression));
}

function evaluate(document: JSONValue, expression: JSONValue): Value {
  if (expression === null || typeof expression !== "object" || Array.isArray(expression)) {
    return expression;
  }
  const [operator, operand] = Object.entries(expression)[0] ?? [];
  if (operator === undefined || operand === undefined) throw unknownExpression(expression);
  if (operator === "$field" && typeof operand === "string") return fieldAt(document, operand);
  if (operator === "$literal") return literal(operand);
  if (operator === "$not") return !isTruthy(evaluate(document, operand));
  if (operator === "$neg") return negate(evaluate(document, operand));
  const operands = operand as Operands;
  if (operator === "$and") return operands.every((each) => passes(document, each));
  if (operator === "$or") return operands.some((each) => passes(document, each));
  const left = evaluate(document, operands[0] ?? null);
  const right = evaluate(document, operands[1] ?? null);
  const compare = COMPARISONS[operator];
  if (compare !== undefined) return compare(compareValues(left, right));
  const calculate = ARITHMETIC[operator];
  if (calculate !== undefined) return arithmetic(calculate, left, right);
  throw unknownExpression(expression);
}

const COMPARISONS: Readonly<Record<string, (order: number) => boolean>> = {
  $eq: (order) => order === 0,
  $neq: (order) => order !== 0,
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
};

type Calculation = {
  readonly floats: (a: number, b: number) => number;
  readonly integers: (a: bigint, b: bigint) => bigint;
};

const ARITHMETIC: Readonly<Record<string, Calculation>> = {
  $add: { floats: (a, b) => a + b, integers: (a, b) => a + b },
  $sub: { floats: (a, b) => a - b, integers: (a, b) => a - b },
  $mul: { floats: (a, b) => a * b, integers: (a, b) => a * b },
  $div: { floats: (a, b) => a / b, integers: (a, b) => a / divisor(b) },
  $mod: { floats: (a, b) => a % b, integers: (a, b) => a % divisor(b) },
};

function divisor(value: bigint): bigint {
  if (value === 0n) throw new FunctionError("A .filter() divides a bigint by zero.");
  return value;
}

function arithmetic({ floats, integers }: Calculation, left: Value, right: Value): JSONValue {
  if (isInt64(left) && isInt64(right)) return int64(integers(toInt64(left), toInt64(right)));
  return float64(floats(number(left), number(right)));
}

function negate(value: Value): JSONValue {
  return isInt64(value) ? int64(-toInt64(value)) : float64(-number(value));
}

function isInt64(value: Value): value is JSONObject {
  return value !== undefined && kindOf(value) === "int64";
}

function number(value: Value): number {
  if (value !== undefined && kindOf(value) === "float64") return toFloat64(value);
  throw new FunctionError(
    `Arithmetic in .filter() takes two numbers or two bigints; got ${value === undefined ? "a missing field" : kindOf(value)}.`,
  );
}

function int64(value: bigint): JSONValue {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt.asIntN(64, value));
  return { $integer: bytes.toString("base64") };
}

function float64(value: number): JSONValue {
  if (Number.isFinite(value) && !Object.is(value, -0)) return value;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return { $float: bytes.toString("base64") };
}

function literal(value: JSONValue): Value {
  const isUndefined =
    value !== null && typeof value === "object" && Object.hasOwn(value, "$undefined");
  return isUndefined ? undefined : value;
}

function isTruthy(value: Value): boolean {
  if (value === undefined || value === null || typeof value !== "object") return Boolean(value);
  if (isInt64(value)) return toInt64(value) !== 0n;
  return true;
}

function unknownExpression(expression: JSONValue): FunctionError {
  return new FunctionError(`Unknown filter expression: ${JSON.stringify(expression)}`);
}
