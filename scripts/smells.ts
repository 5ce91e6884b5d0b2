/**
 * Owns: the smells of house.md that neither the compiler nor ESLint sees: long files, constants that stand twice,
 * headers that point at files which are not there.
 * Not: how a report is shown (check.ts).
 */
import type { Offence } from "./offence.ts";

export type SourceFile = { readonly path: string; readonly text: string };

const MAX_FILE_LINES = 300;
const REASON_ON_LINE_ONE = /^(\/\/|\/\*).*\blong(er)?\b/i;
const TEST = /\.test\.tsx?$/;
const ONLY_FOR_TESTS = /\.(test|helpers)\.tsx?$|^tests\//;
const CONSTANT = /^\s*(?:export )?const ([A-Z][A-Z0-9_]+)\b/;

/** A file over the cap says on line one why it is long ("Longer than 300 lines because …"). Tests are exempt. */
export function longFiles(files: readonly SourceFile[]): Offence[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split("\n").length - 1;
    if (lines <= MAX_FILE_LINES || TEST.test(path) || REASON_ON_LINE_ONE.test(text)) return [];
    const message = `${lines} lines, more than ${MAX_FILE_LINES}: split it by concern, or say on line one why it is longer.`;
    return [{ file: path, line: 1, message }];
  });
}

/** One fact stands in one place: two constants with one name are two places. A test's own constants are its example. */
export function repeatedConstants(files: readonly SourceFile[]): Offence[] {
  const firstAt = new Map<string, string>();
  const offences: Offence[] = [];
  for (const { path, text } of files) {
    if (ONLY_FOR_TESTS.test(path)) continue;
    for (const [index, line] of text.split("\n").entries()) {
      const name = CONSTANT.exec(line)?.[1];
      if (name === undefined) continue;
      const first = firstAt.get(name);
      if (first === undefined) firstAt.set(name, `${path}:${index + 1}`);
      else
        offences.push({
          file: path,
          line: index + 1,
          message: `the constant ${name} stands at ${first} too.`,
        });
    }
  }
  return offences;
}

const HEADER_END = "*/";
/** Where a header says who else does it: "(presence.ts)", "(src/shared/connection.ts, bill.ts)". */
const POINTED_AT = /\(([^()]*\.tsx?)\)/g;
const FILE_NAME = /[\w./-]+\.tsx?\b/g;

/** A header that names a file by its name or the end of its path leads a reader nowhere when it has moved. */
export function lostPointers(files: readonly SourceFile[]): Offence[] {
  const paths = files.map(({ path }) => `/${path}`);
  return files.flatMap(({ path, text }) => {
    if (ONLY_FOR_TESTS.test(path)) return [];
    const [header = ""] = text.split(HEADER_END, 1);
    const names = [...header.matchAll(POINTED_AT)].flatMap(
      ([, inside = ""]) => inside.match(FILE_NAME) ?? [],
    );
    return names
      .filter((name) => !paths.some((known) => known.endsWith(`/${name}`)))
      .map((name) => ({
        file: path,
        line: 1,
        message: `its header points at ${name}, which is not there.`,
      }));
  });
}
