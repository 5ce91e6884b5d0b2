/**
 * Owns: writing characters of a small alphabet with few bits each: digits, hexadecimal numbers, ids, base64.
 * Not: how a reader knows which alphabet and how many characters (short-texts.ts).
 */

const NO_SYMBOL = 255;

export class Alphabet {
  readonly #bits: number;
  readonly #codes: Uint8Array;
  /** Of each byte: its place in the alphabet. */
  readonly #symbols = new Uint8Array(256).fill(NO_SYMBOL);

  constructor(bits: number, characters: string) {
    this.#bits = bits;
    this.#codes = Buffer.from(characters, "latin1");
    for (const [place, code] of this.#codes.entries()) this.#symbols[code] = place;
  }

  bytesFor(length: number): number {
    return (length * this.#bits + 7) >> 3;
  }

  /** Where the characters of this alphabet that begin at `at` end, `until` at the latest. */
  endOfRun(bytes: Uint8Array, at: number, until: number): number {
    const symbols = this.#symbols;
    let end = at;
    while (end < until && symbols[bytes[end] ?? 0] !== NO_SYMBOL) end += 1;
    return end;
  }

  /** The highest bits first; the last byte is filled with zeros. Returns where it ends. */
  write(bytes: Uint8Array, from: number, until: number, to: Uint8Array, at: number): number {
    const bits = this.#bits;
    let held = 0;
    let count = 0;
    let end = at;
    for (let place = from; place < until; place += 1) {
      held = (held << bits) | (this.#symbols[bytes[place] ?? 0] ?? 0);
      count += bits;
      if (count < 8) continue;
      count -= 8;
      to[end++] = held >> count;
      held &= (1 << count) - 1;
    }
    if (count > 0) to[end++] = held << (8 - count);
    return end;
  }

  /** The characters of `length` symbols. Returns where the packed ones end. */
  read(packed: Uint8Array, at: number, length: number, to: Uint8Array, from: number): number {
    const bits = this.#bits;
    const mask = (1 << bits) - 1;
    let held = 0;
    let count = 0;
    let end = at;
    for (let place = from; place < from + length; place += 1) {
      if (count < bits) {
        held = (held << 8) | (packed[end++] ?? 0);
        count += 8;
      }
      count -= bits;
      to[place] = this.#codes[(held >> count) & mask] ?? 0;
      held &= (1 << count) - 1;
    }
    return end;
  }
}

export const DIGITS = new Alphabet(4, "0123456789");
export const HEXADECIMAL = new Alphabet(4, "0123456789abcdef");
/** Of the ids of documents: the letters that are taken for another are missing. */
export const IDS = new Alphabet(5, "0123456789abcdefghjkmnpqrstvwxyz");
export const BASE64 = new Alphabet(
  6,
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
);
