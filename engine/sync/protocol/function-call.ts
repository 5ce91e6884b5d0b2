/** Owns: the part that Add, Mutation and Action share: which function, with which arguments. */
import type { FunctionTarget } from "../../application.ts";
import { canonicalPath } from "../../function-path.ts";
import {
  isFields,
  readList,
  readOptionalString,
  readString,
  refuse,
  type Fields,
} from "./fields.ts";

/** Longer than any path that the CLI pushes. */
const MAX_PATH_CHARACTERS = 1024;

export type FunctionCall = { readonly target: FunctionTarget; readonly argsJson: string };

export function parseFunctionCall(fields: Fields): FunctionCall {
  const componentPath = readOptionalString(fields, "componentPath", MAX_PATH_CHARACTERS) ?? "";
  const path = canonicalPath(readString(fields, "udfPath", MAX_PATH_CHARACTERS));
  const args = readList(fields, "args", 1)[0] ?? {};
  if (!isFields(args)) return refuse("args", args, "a list that holds one object");
  return { target: { componentPath, path }, argsJson: JSON.stringify(args) };
}
