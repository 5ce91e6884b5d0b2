/**
 * Owns: packing one short text with the help of a dictionary of what many such texts have in common, and back.
 * Not: which texts share a dictionary, and what stands in it (packed-values.ts).
 *
 * zlib would do and takes many times as long: it makes an object with its own memory for each text and reads the
 * dictionary anew. Here the dictionary is read once. What no dictionary can know, and what is most of a packed
 * document, are ids, hashes and numbers: those take as many bits a character as their alphabet needs.
 *
 * The packed form is a sequence of
 *  - 20–7F: this character;
 *  - 80–FF: a copy of what stands in the dictionary or earlier in the text: 1LLLPPPP PPPPPPPP, L + 3 bytes from place P
 *    on; where L is 7, a third byte says how many more than 10;
 *  - 00 N: N bytes as they are;
 *  - 01 N, 02 N, 03 N: N characters of hexadecimal numbers, of ids, of base64;
 *  - 04–1F: so many digits.
 */
import { isAscii } from "node:buffer";
import { StorageError } from "../errors.ts";
import { type Alphabet, BASE64, DIGITS, HEXADECIMAL, IDS } from "./alphabets.ts";
import { Copies, MIN_COPY } from "./copies.ts";

/** What the twelve bits of a place can name: the dictionary and the beginning of the text. */
const WINDOW_BYTES = 4_096;
/** Of the UTF-8 of a text. */
export const MAX_SHORT_TEXT_BYTES = 6_144;

const AS_IT_IS = 0;
const FIRST_CHARACTER = 0x20;
const COPY = 0x80;
/** From here on the length takes a byte more. */
const LONG_COPY = MIN_COPY + 7;
const MAX_COPY = LONG_COPY + 255;
const MAX_RUN = 255;
const MIN_DIGITS = 4;
const MAX_DIGITS = FIRST_CHARACTER - 1;

/** Their place here is the number that stands before a run of them; digits have none, but a number for each length. */
const ALPHABETS: readonly (Alphabet | undefined)[] = [undefined, HEXADECIMAL, IDS, BASE64];

const TOO_LONG =
  "A packed value of the database is longer than any can be, so it is damaged. Start with a backup.";

/** Shared by all, since nothing of it outlives a call: a dictionary with a text behind it, and what it is packed into. */
const window = Buffer.alloc(WINDOW_BYTES + MAX_SHORT_TEXT_BYTES);
const output = Buffer.alloc(2 * MAX_SHORT_TEXT_BYTES);

export class ShortTexts {
  readonly #dictionary: Uint8Array;
  readonly #isDictionaryAscii: boolean;
  #copies: Copies | null = null;
  /** Of each alphabet: where the run ends that was found last. */
  readonly #endsOfRuns = new Uint16Array(ALPHABETS.length);
  #at = 0;
  #end = 0;

  constructor(dictionary: Uint8Array) {
    this.#dictionary = dictionary.subarray(-WINDOW_BYTES);
    this.#isDictionaryAscii = isAscii(this.#dictionary);
  }

  /** Valid until the next call of any; null where the text is too long. */
  pack(text: string): Uint8Array | null {
    if (Buffer.byteLength(text) > MAX_SHORT_TEXT_BYTES) return null;
    this.#copies ??= new Copies(this.#dictionary);
    this.#copies.beginText();
    this.#endsOfRuns.fill(0);
    window.set(this.#dictionary);
    this.#at = this.#dictionary.length;
    this.#end = 0;
    const until = this.#at + window.write(text, this.#at);
    while (this.#at < until) this.#packNext(this.#copies, until);
    return output.subarray(0, this.#end);
  }

  /** Whatever saves most: a copy, a run of an alphabet, or else bytes as they are. */
  #packNext(copies: Copies, until: number): void {
    const from = this.#at;
    const copied = Math.min(copies.find(window, from, until), MAX_COPY);
    let saved = copied - (copied < LONG_COPY ? 2 : 3);
    let alphabet = -1;
    for (let number = 0; number < ALPHABETS.length; number += 1) {
      const saves = this.#savedByRun(number, until);
      if (saves <= saved) continue;
      saved = saves;
      alphabet = number;
    }
    if (saved <= 0) this.#packByte(until);
    else if (alphabet >= 0) this.#packRun(alphabet);
    else this.#packCopy(copies.place, copied);
    for (let at = from; at < this.#at && at < WINDOW_BYTES; at += 1) copies.remember(window, at);
  }

  #savedByRun(number: number, until: number): number {
    const alphabet = ALPHABETS[number] ?? DIGITS;
    let end = this.#endsOfRuns[number] ?? 0;
    if (end <= this.#at) {
      end = alphabet.endOfRun(window, this.#at, until);
      this.#endsOfRuns[number] = end;
    }
    const length = Math.min(end - this.#at, number === 0 ? MAX_DIGITS : MAX_RUN);
    if (number === 0 && length < MIN_DIGITS) return 0;
    return length - alphabet.bytesFor(length) - (number === 0 ? 1 : 2);
  }

  #packRun(number: number): void {
    const alphabet = ALPHABETS[number] ?? DIGITS;
    const run = (this.#endsOfRuns[number] ?? 0) - this.#at;
    const length = Math.min(run, number === 0 ? MAX_DIGITS : MAX_RUN);
    if (number > 0) output[this.#end++] = number;
    output[this.#end++] = length;
    this.#end = alphabet.write(window, this.#at, this.#at + length, output, this.#end);
    this.#at += length;
  }

  #packCopy(place: number, length: number): void {
    const code = Math.min(length, LONG_COPY) - MIN_COPY;
    output[this.#end++] = COPY | (code << 4) | (place >> 8);
    output[this.#end++] = place;
    if (length >= LONG_COPY) output[this.#end++] = length - LONG_COPY;
    this.#at += length;
  }

  #packByte(until: number): void {
    if (isCharacter(window[this.#at] ?? 0)) {
      output[this.#end++] = window[this.#at++] ?? 0;
      return;
    }
    const from = this.#at;
    const most = Math.min(until, from + MAX_RUN);
    while (this.#at < most && !isCharacter(window[this.#at] ?? 0)) this.#at += 1;
    output[this.#end++] = AS_IT_IS;
    output[this.#end++] = this.#at - from;
    for (let at = from; at < this.#at; at += 1) output[this.#end++] = window[at] ?? 0;
  }

  /** Throws a StorageError where what should be a packed text is none. */
  unpack(packed: Uint8Array): string {
    const start = this.#dictionary.length;
    window.set(this.#dictionary);
    let end = start;
    let isLatin = this.#isDictionaryAscii;
    for (let at = 0; at < packed.length;) {
      const op = packed[at] ?? 0;
      const next = packed[at + 1] ?? 0;
      if (op >= COPY) {
        const code = (op >> 4) & 7;
        const place = ((op & 15) << 8) | next;
        const isLong = code + MIN_COPY === LONG_COPY;
        const length = code + MIN_COPY + (isLong ? (packed[at + 2] ?? 0) : 0);
        for (let from = place; from < place + length; from += 1) window[end++] = window[from] ?? 0;
        at += isLong ? 3 : 2;
      } else if (op >= FIRST_CHARACTER) {
        window[end++] = op;
        at += 1;
      } else if (op >= MIN_DIGITS) {
        at = DIGITS.read(packed, at + 1, op, window, end);
        end += op;
      } else if (op === AS_IT_IS) {
        isLatin = false;
        at += 2;
        for (const until = at + next; at < until; at += 1) window[end++] = packed[at] ?? 0;
      } else {
        at = (ALPHABETS[op] ?? DIGITS).read(packed, at + 2, next, window, end);
        end += next;
      }
    }
    if (end > window.length) throw new StorageError("corrupt", TOO_LONG);
    return window.toString(isLatin ? "latin1" : "utf8", start, end);
  }
}

function isCharacter(byte: number): boolean {
  return byte >= FIRST_CHARACTER && byte < COPY;
}
