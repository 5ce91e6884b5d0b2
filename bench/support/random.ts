/** Owns: a fixed sequence of random numbers, the same on every run, and picks by it. Not: security. */
export class BenchRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  }

  /** As the original design's browsers make ids. */
  uuid(): string {
    const [a, b, c, d, e] = [8, 4, 4, 4, 12].map((digits) => this.hex(digits));
    return `${a}-${b}-${c}-${d}-${e}`;
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => this.below(16).toString(16)).join("");
  }
}

/** Picks 0 … count−1, place p as often as (p + 1)^−exponent. */
export class Zipf {
  readonly #upTo: Float64Array;

  constructor(count: number, exponent: number) {
    let sum = 0;
    this.#upTo = Float64Array.from(
      { length: count },
      (_, place) => (sum += (place + 1) ** -exponent),
    );
  }

  pick(random: BenchRandom): number {
    const target = random.next() * (this.#upTo.at(-1) ?? 0);
    let [low, high] = [0, this.#upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#upTo[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
