/**
 * Owns: making a dictionary of what many texts have in common.
 * Not: packing with it (short-texts.ts), and when it is made (packed-values.ts).
 *
 * A dictionary outlives the texts that it was made of, so it holds only what one in twenty of them has, piece by piece:
 * no id, no address, no sentence.
 */

/** What belongs into a dictionary stands in at least one of so many texts. */
const ONE_IN = 20;
const MAX_PIECE_LENGTH = 24;
/** Pieces that follow each other are one entry when they often do so together. */
const MAX_PIECES_TOGETHER = 8;
/** JSON's names with all that stands around them; what remains are values, of which each line is a piece. */
const NAME = /["\]}]*,?[[{]*"(?:[^"\\]|\\.)*":[[{"]*/g;
const LINE = /(?=\\n)/;

/** The most useful entries that fit; the shorter the nearer to the end. */
export function dictionaryOf(texts: readonly string[], maxBytes: number): Buffer {
  const textsWith = new Map<string, number>();
  for (const text of texts) {
    for (const entry of entriesOf(text)) textsWith.set(entry, (textsWith.get(entry) ?? 0) + 1);
  }
  const useful = [...textsWith]
    .filter(([, count]) => count * ONE_IN >= texts.length)
    .sort(([a, countOfA], [b, countOfB]) => b.length * countOfB - a.length * countOfA);
  let dictionary = "";
  for (const [entry] of useful) {
    if (dictionary.includes(entry)) continue;
    if (Buffer.byteLength(dictionary) + Buffer.byteLength(entry) > maxBytes) continue;
    dictionary = entry + dictionary;
  }
  return Buffer.from(dictionary);
}

function entriesOf(text: string): Set<string> {
  const pieces = piecesOf(text);
  const entries = new Set<string>();
  for (let from = 0; from < pieces.length; from += 1) {
    let entry = "";
    for (const piece of pieces.slice(from, from + MAX_PIECES_TOGETHER)) {
      if (piece.length > MAX_PIECE_LENGTH) break;
      entry += piece;
      entries.add(entry);
    }
  }
  return entries;
}

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const name of text.matchAll(NAME)) {
    if (name.index > end) pieces.push(...text.slice(end, name.index).split(LINE));
    pieces.push(name[0]);
    end = name.index + name[0].length;
  }
  if (end < text.length) pieces.push(...text.slice(end).split(LINE));
  return pieces;
}
