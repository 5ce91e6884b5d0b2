/**
 * Owns: which function is meant by what user code passes to ctx.runQuery, ctx.scheduler and the like.
 * Not: whether a client may call it (application/calls.ts).
 */
import { FunctionError } from "../errors.ts";
import { canonicalPath, readablePath } from "../function-path.ts";
import type { ComponentInstance } from "./component-instance.ts";
import type { Deployment } from "./deployment.ts";
import type { RegisteredFunction } from "./registered-function.ts";

/** One of three: a function of the same component, of a child component, or one that somebody handed over. */
export type FunctionAddress = {
  readonly name?: string;
  readonly reference?: string;
  readonly functionHandle?: string;
};

const HANDLE = "function://";
const CHILD_REFERENCE = /^_reference\/childComponent\/([^/]+)\/(.+)\/([^/]+)$/;

/** Stays good across pushes, as long as the function is there. */
export function handleOf({ instance, path }: RegisteredFunction): string {
  return `${HANDLE}${instance.componentPath};${path}`;
}

export function resolveAddress(
  caller: ComponentInstance,
  { name, reference, functionHandle }: FunctionAddress,
  deployment: Deployment,
): RegisteredFunction {
  if (name !== undefined) return find(deployment, caller.componentPath, canonicalPath(name));
  if (functionHandle !== undefined) {
    const [componentPath = "", path = ""] = functionHandle.slice(HANDLE.length).split(";");
    return find(deployment, componentPath, path);
  }
  const match = CHILD_REFERENCE.exec(reference ?? "");
  if (match === null) {
    throw new FunctionError(`${reference ?? "undefined"} is no reference to a function.`);
  }
  const [, child = "", modulePath = "", exportName = ""] = match;
  const childPath = caller.componentPath === "" ? child : `${caller.componentPath}/${child}`;
  const found = find(deployment, childPath, `${modulePath}:${exportName}`);
  if (!found.isPublic) {
    throw new FunctionError(`${readablePath(found.path)} is internal to component "${childPath}".`);
  }
  return found;
}

function find(deployment: Deployment, componentPath: string, path: string): RegisteredFunction {
  if (!deployment.instances.has(componentPath)) {
    const mounted = [...deployment.instances.keys()].filter((each) => each !== "").join(", ");
    throw new FunctionError(
      `Component "${componentPath}" is not mounted. Mounted: ${mounted || "none"}. Add it with app.use() in convex.config.ts.`,
    );
  }
  const found = deployment.find({ componentPath, path });
  if (found !== undefined) return found;
  const place = componentPath === "" ? "" : ` in component "${componentPath}"`;
  throw new FunctionError(
    `Could not find function for '${readablePath(path)}'${place}. ` +
      "Did you forget to run `npx convex dev` or `npx convex deploy`?",
  );
}
