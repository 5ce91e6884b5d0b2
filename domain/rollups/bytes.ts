/**
 * Owns: writing and reading whole numbers and text as bytes, seven bits a byte, small numbers small.
 * Not: what the numbers mean (codec.ts).
 */

/** Bytes that are no roll-up, are damaged, or were written by a newer Footfall. */
export class RollupFormatError extends Error {
  override name = "RollupFormatError";
}

const UTF8 = new TextEncoder();
/** `ignoreBOM`: a value may begin with U+FEFF, and it must come back. */
const FROM_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Zigzag doubles a number; beyond this it would no longer be exact. */
const MAX_SIGNED = 2 ** 52;

export class ByteWriter {
  private bytes = new Uint8Array(1_024);
  private length = 0;

  unsigned(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) throw notWhole(value);
    this.reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  signed(value: number): void {
    if (!Number.isSafeInteger(value) || Math.abs(value) > MAX_SIGNED) throw notWhole(value);
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(text: string): void {
    this.raw(UTF8.encode(text));
  }

  /** A length, then the bytes. */
  raw(bytes: Uint8Array): void {
    this.unsigned(bytes.length);
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(2 * this.bytes.length + count);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

export class ByteReader {
  private position = 0;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  unsigned(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first - 0x80;
    let scale = 0x80;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (value > Number.MAX_SAFE_INTEGER) throw damaged("a number is too large");
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** How many entries follow; each takes at least a byte, so a damaged count cannot ask for more memory than there are bytes. */
  count(): number {
    const count = this.unsigned();
    if (count > this.bytes.length - this.position) throw damaged("it ends too early");
    return count;
  }

  text(): string {
    const bytes = this.raw();
    try {
      return FROM_UTF8.decode(bytes);
    } catch (error) {
      throw new RollupFormatError("This roll-up is damaged: its text is not UTF-8.", {
        cause: error,
      });
    }
  }

  raw(): Uint8Array {
    const length = this.count();
    this.position += length;
    return this.bytes.subarray(this.position - length, this.position);
  }

  assertEnd(): void {
    if (this.position !== this.bytes.length) throw damaged("bytes are left over");
  }

  private byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw damaged("it ends too early");
    return byte;
  }
}

export function damaged(how: string): RollupFormatError {
  return new RollupFormatError(
    `This roll-up is damaged: ${how}. Make its bucket anew from the log with stats:repair.`,
  );
}

export function newer(what: string): RollupFormatError {
  return new RollupFormatError(
    `This roll-up was written by a newer Footfall: ${what}. Deploy that version again, or make the bucket ` +
      "anew from the log with stats:repair.",
  );
}

/** FNV-1a over words of four bytes: any single changed byte changes it. Against accidents, not against people. */
export function checksum(bytes: Uint8Array): number {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let hash = 0x811c9dc5;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = Math.imul(hash ^ words.getUint32(at), 0x01000193);
  }
  for (; at < bytes.length; at++) hash = Math.imul(hash ^ words.getUint8(at), 0x01000193);
  return hash >>> 0;
}

function notWhole(value: number): Error {
  return new Error(`A roll-up holds whole numbers up to 2^52; got ${value}.`);
}
