/**
 * Owns: finding what a text has in common with a dictionary, and with itself so far.
 * Not: how it is written (short-texts.ts).
 */

/** Below this, naming a copy is no shorter than its bytes. */
export const MIN_COPY = 3;
/** Places in the dictionary that are compared; the last ones are the most common words. */
const MAX_TRIES = 24;
const HASH_BITS = 12;
/** The golden ratio of 32 bits spreads what differs in few bits (Knuth). */
const SPREAD = 2_654_435_761;

function hashAt(bytes: Uint8Array, at: number): number {
  const three = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return Math.imul(three, SPREAD) >>> (32 - HASH_BITS);
}

/** Of a text: where its bytes stood last, by their hash. One for all dictionaries, which each text begins anew. */
const placesInText = new Uint16Array(2 ** HASH_BITS);
const textOfPlace = new Uint32Array(2 ** HASH_BITS);
let text = 0;

export class Copies {
  /** Of each hash: the last place in the dictionary, counted from one; zero is none. */
  readonly #last = new Uint16Array(2 ** HASH_BITS);
  /** Of each place, counted from one: the one before it with that hash. */
  readonly #before: Uint16Array;
  /** What `find` found. */
  place = 0;

  constructor(dictionary: Uint8Array) {
    this.#before = new Uint16Array(dictionary.length + 1);
    for (let place = 0; place + MIN_COPY <= dictionary.length; place += 1) {
      const hash = hashAt(dictionary, place);
      this.#before[place + 1] = this.#last[hash] ?? 0;
      this.#last[hash] = place + 1;
    }
  }

  beginText(): void {
    text = (text + 1) >>> 0;
    if (text === 0) textOfPlace.fill(0);
  }

  /** `window`: the dictionary with the text behind it. */
  remember(window: Uint8Array, at: number): void {
    const hash = hashAt(window, at);
    placesInText[hash] = at;
    textOfPlace[hash] = text;
  }

  /** The length of the longest copy of what begins at `at`, or zero; `place` says where it stands. */
  find(window: Uint8Array, at: number, until: number): number {
    if (until - at < MIN_COPY) return 0;
    const hash = hashAt(window, at);
    let longest = 0;
    if (textOfPlace[hash] === text) {
      const place = placesInText[hash] ?? 0;
      longest = lengthOfCopy(window, place, at, until);
      this.place = place;
    }
    let tries = MAX_TRIES;
    for (let next = this.#last[hash] ?? 0; next > 0 && tries > 0; tries -= 1) {
      const place = next - 1;
      next = this.#before[next] ?? 0;
      if (window[place + longest] !== window[at + longest]) continue;
      const length = lengthOfCopy(window, place, at, until);
      if (length <= longest) continue;
      longest = length;
      this.place = place;
    }
    return longest < MIN_COPY ? 0 : longest;
  }
}

function lengthOfCopy(window: Uint8Array, place: number, at: number, until: number): number {
  let length = 0;
  while (at + length < until && window[place + length] === window[at + length]) length += 1;
  return length;
}
