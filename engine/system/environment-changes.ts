/** Owns: the body of update_environment_variables, checked at the door with Convex's bounds. */
import { FunctionError } from "../errors.ts";

export type EnvironmentChange = { readonly name: string; readonly value: string | null };

/** As on Convex (docs.convex.dev/production/environment-variables). */
const NAME_FORM = /^[A-Za-z_][A-Za-z0-9_]{0,39}$/;
const MAX_VALUE_BYTES = 8192;
/** Set by the deployment itself. */
const OWN_NAMES: ReadonlySet<string> = new Set(["CONVEX_CLOUD_URL", "CONVEX_SITE_URL"]);

function parseChange(entry: unknown): EnvironmentChange {
  if (
    typeof entry !== "object" ||
    entry === null ||
    !("name" in entry) ||
    typeof entry.name !== "string"
  ) {
    throw new FunctionError('Each change must be an object with "name" and "value".');
  }
  const { name } = entry;
  const value: unknown = "value" in entry ? entry.value : null;
  if (!NAME_FORM.test(name)) {
    throw new FunctionError(
      `Environment variable "${name.slice(0, 60)}" must have 1 to 40 letters, digits or underscores and not begin with a digit.`,
    );
  }
  if (OWN_NAMES.has(name))
    throw new FunctionError(`Environment variable ${name} is set by the deployment itself.`);
  if (value === null || value === undefined) return { name, value: null };
  if (typeof value !== "string")
    throw new FunctionError(`The value of ${name} must be a string or null.`);
  if (Buffer.byteLength(value) > MAX_VALUE_BYTES) {
    throw new FunctionError(`The value of ${name} is longer than ${MAX_VALUE_BYTES} bytes.`);
  }
  return { name, value };
}

export function parseEnvironmentChanges(
  body: Readonly<Record<string, unknown>>,
): EnvironmentChange[] {
  const { changes } = body;
  if (!Array.isArray(changes)) throw new FunctionError('Field "changes" must be a list.');
  return changes.map(parseChange);
}
