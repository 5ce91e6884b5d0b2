/** Owns: how a function is named. Not: which functions exist. */

/** "dir/module:export" from any of the spellings that clients and the CLI send ("dir/module.js:export", "dir/module"). */
export function canonicalPath(path: string): string {
  const colon = path.lastIndexOf(":");
  const modulePath = colon === -1 ? path : path.slice(0, colon);
  const exportName = colon === -1 ? "default" : path.slice(colon + 1);
  return `${modulePath.endsWith(".js") ? modulePath.slice(0, -".js".length) : modulePath}:${exportName}`;
}

/** The way people write it: without ":default". */
export function readablePath(path: string): string {
  return path.endsWith(":default") ? path.slice(0, -":default".length) : path;
}
