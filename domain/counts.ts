/** Owns: a list of whole numbers as one short text, because each number of a document is billed as nine bytes. Not: what is counted. */

export function packCounts(counts: readonly number[]): string {
  return counts.join(" ");
}

/** Throws when the text is not one of packCounts. */
export function unpackCounts(packed: string): number[] {
  if (packed === "") return [];
  return packed.split(" ").map((text) => {
    const count = Number(text);
    if (text !== "" && Number.isSafeInteger(count)) return count;
    throw new Error(
      `"${packed.slice(0, 64)}" is no list of counts: wanted whole numbers, one space between two.`,
    );
  });
}
