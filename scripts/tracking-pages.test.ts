/** What README and the posts about installing say of src/tracking/, held against it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { partsOf, SCRIPT_PARTS } from "../domain/script-parts.ts";
import { ROOT } from "./checkout.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const SCRIPT_PAGE = "content/posts/script-tag.md";
const texts = ["README.md", SCRIPT_PAGE, "content/posts/install-footfall.md"].map(read);

test("what they import from the tracking folder is exported there", () => {
  const imports = texts.flatMap((text) =>
    [...text.matchAll(/import \{ ([\w, ]+) \} from "\.\/tracking\/index\.ts"/g)].flatMap(
      ([, names = ""]) => names.split(", "),
    ),
  );
  expect(imports).toContain("useTrackEvent");
  const exported = read("src/tracking/index.ts");
  for (const name of imports) expect(exported).toMatch(new RegExp(`[{ ]${name}[ ,]`));
});

test("parts that they ask for exist, and the one about the script tag has them all", () => {
  const asked = texts.flatMap((text) => [...text.matchAll(/\?parts=([\w+]+)/g)]);
  const named = asked.map(([, parts = ""]) => parts).filter((parts) => parts !== "none");
  expect(named.length).toBeGreaterThan(1);
  for (const parts of named)
    expect(partsOf(parts.replaceAll("+", " "))).toMatchObject({ areKnown: true });
  for (const part of SCRIPT_PARTS) expect(read(SCRIPT_PAGE)).toContain(`| \`${part}\``);
});
