/**
 * Owns: the one table of who may import whom, and the list of imports in a checkout that break it.
 * Not: how a report is shown (check.ts). A file belongs to the first room whose pattern fits its path.
 */
import ts from "typescript";
import { posix } from "node:path";
import type { Offence } from "./offence.ts";

type Room = {
  readonly name: string;
  readonly files: RegExp;
  /** Rooms that this one may import, itself included where its files may import each other. */
  readonly may: readonly string[];
  /** Packages that this one may import; `undefined` means any. A name covers its subpaths. */
  readonly packages?: readonly RegExp[];
};

const ANYTHING = ["*"];
const DOMAIN_PACKAGES = [/^bowser$/, /^isbot$/, /^countries-and-timezones$/];
const ENGINE_PACKAGES = [
  /^node:/,
  /^convex\/(values|server)$/,
  /^(esbuild|jose|ws|yauzl|yazl)$/,
  /^@types\//,
];
const CONVEX_PACKAGES = [/^convex\/(values|server)$/, /^@convex-dev\/[^/]+(\/|$)/];
const SITE_PACKAGES = [
  /^convex\/(react|browser|values|server)$/,
  /^react(-dom)?(\/|$)/,
  /^react-router-dom$/,
];
const CORE = ["engine/contract", "engine/facts"];

export const ROOMS: readonly Room[] = [
  { name: "tests", files: /\.(test|helpers)\.tsx?$|^tests\//, may: ANYTHING },
  { name: "bench", files: /^bench\//, may: ANYTHING },
  { name: "scripts", files: /^(scripts\/|[^/]+\.config\.[jt]s$)/, may: ANYTHING },

  { name: "public", files: /^public\//, may: [], packages: [] },
  { name: "domain", files: /^domain\//, may: ["domain"], packages: DOMAIN_PACKAGES },

  { name: "convex/_generated", files: /^convex\/_generated\//, may: ANYTHING },
  {
    name: "convex/schema",
    files: /^convex\/(schema|errors|convex\.config)\.ts$/,
    may: ["domain", "convex/schema"],
    packages: CONVEX_PACKAGES,
  },
  {
    name: "convex/model",
    files: /^convex\/model\//,
    may: ["domain", "convex/_generated", "convex/schema", "convex/model"],
    packages: CONVEX_PACKAGES,
  },
  {
    name: "convex/doors",
    files: /^convex\//,
    may: ["domain", "convex/_generated", "convex/schema", "convex/model", "convex/doors"],
    packages: CONVEX_PACKAGES,
  },

  {
    name: "src/tracking",
    files: /^src\/tracking\//,
    may: ["domain", "convex/_generated", "src/tracking"],
    packages: [...SITE_PACKAGES, /^web-vitals$/],
  },
  {
    name: "src/stats",
    files: /^src\/stats\//,
    // Of tracking: saying that somebody watches, which any page with a live number does.
    may: ["domain", "convex/_generated", "src/stats", "src/shared", "src/tracking"],
    packages: [
      ...SITE_PACKAGES,
      /^fflate$/,
      /^d3-geo$/,
      /^topojson-(client|specification)$/,
      /^world-atlas\//,
      /^iso-3166\//,
    ],
  },
  {
    name: "src/shared",
    files: /^src\/shared\//,
    may: ["domain", "convex/_generated", "src/shared"],
    packages: SITE_PACKAGES,
  },
  {
    name: "src/site",
    files: /^src\//,
    may: ["domain", "convex/_generated", "src/tracking", "src/stats", "src/shared", "src/site"],
    packages: [
      ...SITE_PACKAGES,
      /^markdown-to-jsx(\/|$)/,
      /^@fontsource-variable\//,
      /^vite\/client$/,
    ],
  },

  {
    name: "engine/facts",
    files: /^engine\/(errors|limits|clock)\.ts$/,
    may: ["engine/facts"],
    packages: [],
  },
  engineRoom("values", []),
  engineRoom("storage", ["values"]),
  engineRoom("transactions", ["values", "storage"]),
  engineRoom("catalog", ["values", "storage", "transactions"]),
  engineRoom("subscriptions", ["values", "storage", "transactions", "catalog"]),
  engineRoom("functions", ["values", "storage", "transactions", "catalog"]),
  {
    name: "engine/application",
    files: /^engine\/(open-application|application\/.*)\.ts$|^engine\/application\//,
    may: [
      ...["values", "storage", "transactions", "catalog", "subscriptions", "functions"].map(
        (room) => `engine/${room}`,
      ),
      "engine/application",
      ...CORE,
    ],
    packages: ENGINE_PACKAGES,
  },
  engineRoom("scheduler", ["values"]),
  engineRoom("logs", ["values"]),
  engineRoom("auth", ["values"]),
  engineRoom("export", ["values"]),
  engineRoom("system", ["values", "logs"]),
  engineRoom("push", ["values"]),
  engineRoom("sync", ["values", "logs", "auth"]),
  {
    name: "engine/server",
    files: /^engine\/(server\/|index\.ts$)/,
    may: ["engine/*"],
    packages: [...ENGINE_PACKAGES, /^convex$/],
  },
  // What every room of the engine may see: the contract (application.ts) and small facts about its names.
  {
    name: "engine/contract",
    files: /^engine\/[^/]+\.ts$/,
    may: ["engine/functions", ...CORE],
    packages: [],
  },
];

function engineRoom(name: string, below: readonly string[]): Room {
  return {
    name: `engine/${name}`,
    files: new RegExp(`^engine/${name}/`),
    may: [`engine/${name}`, ...below.map((room) => `engine/${room}`), ...CORE],
    packages: ENGINE_PACKAGES,
  };
}

export function roomOf(path: string): Room | null {
  return ROOMS.find((room) => room.files.test(path)) ?? null;
}

/** `exists` tells whether a path of the checkout is a file, so that imports without an extension find theirs. */
export function offencesIn(
  path: string,
  source: string,
  exists: (path: string) => boolean,
): Offence[] {
  const from = roomOf(path);
  if (from === null)
    return [
      {
        file: path,
        line: 1,
        message: `${path} is in no room: add it to ROOMS in scripts/arrows.ts.`,
      },
    ];
  return importsOf(path, source).flatMap(({ specifier, line }) => {
    const message = specifier.startsWith(".")
      ? refuseFile(from, posix.join(posix.dirname(path), specifier), exists)
      : refusePackage(from, specifier);
    return message === null ? [] : [{ file: path, line, message }];
  });
}

function refuseFile(from: Room, target: string, exists: (path: string) => boolean): string | null {
  const file =
    [target, `${target}.ts`, `${target}.tsx`, `${target}.js`, `${target}/index.ts`].find(exists) ??
    target;
  if (/\.(css|svg|png|json)(\?.*)?$/.test(file)) return null;
  const to = roomOf(file);
  if (to === null) return `imports ${file}, which is in no room.`;
  const allowed = from.may.some(
    (room) =>
      room === "*" ||
      room === to.name ||
      (room.endsWith("/*") && to.name.startsWith(room.slice(0, -1))),
  );
  return allowed
    ? null
    : `${from.name} must not import ${to.name} (${file}). It may import: ${from.may.join(", ")}.`;
}

function refusePackage(from: Room, specifier: string): string | null {
  if (from.packages === undefined || from.packages.some((allowed) => allowed.test(specifier)))
    return null;
  return `${from.name} must not import the package ${specifier}: see ROOMS in scripts/arrows.ts.`;
}

function importsOf(path: string, source: string): { specifier: string; line: number }[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false);
  const found: { specifier: string; line: number }[] = [];
  const add = (node: ts.Node | undefined) => {
    if (node === undefined || !ts.isStringLiteralLike(node)) return;
    found.push({
      specifier: node.text,
      line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
