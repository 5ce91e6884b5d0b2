/**
 * Owns: Convex's document ids: base32(vint(table number) + 16 random bytes + checksum).
 * Not: which table has which number (catalog/), or where randomness comes from.
 *
 * The format is that of convex-backend's id_v6.rs, so ids stay ids when data moves between the engine and Convex.
 */

/** Crockford's base32 in lower case. Decoding is strict: one id has one spelling. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const INTERNAL_ID_BYTES = 16;
const CHECKSUM_BYTES = 2;
const MAX_TABLE_NUMBER_BYTES = 5;
const MIN_DOCUMENT_ID_LENGTH = base32Length(1 + INTERNAL_ID_BYTES + CHECKSUM_BYTES);
const MAX_DOCUMENT_ID_LENGTH = base32Length(
  MAX_TABLE_NUMBER_BYTES + INTERNAL_ID_BYTES + CHECKSUM_BYTES,
);
const MAX_TABLE_NUMBER = 2 ** 32 - 1;

const DIGIT_OF_CODE = new Int8Array(128).fill(-1);
for (let digit = 0; digit < ALPHABET.length; digit++)
  DIGIT_OF_CODE[ALPHABET.charCodeAt(digit)] = digit;

function base32Length(byteCount: number): number {
  return Math.ceil((byteCount * 8) / 5);
}

/** `tableNumber` is 1..2^32−1; `randomBytes` are 16 bytes, which must never repeat within a table. */
export function createId(tableNumber: number, randomBytes: Uint8Array): string {
  if (!Number.isInteger(tableNumber) || tableNumber < 1 || tableNumber > MAX_TABLE_NUMBER) {
    throw new Error(
      `A table number is an integer from 1 to ${MAX_TABLE_NUMBER}; got ${tableNumber}.`,
    );
  }
  if (randomBytes.length !== INTERNAL_ID_BYTES) {
    throw new Error(`An id takes ${INTERNAL_ID_BYTES} random bytes; got ${randomBytes.length}.`);
  }
  const bytes: number[] = [];
  let rest = tableNumber;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest, ...randomBytes);
  const sum = checksum(bytes, bytes.length);
  bytes.push(sum & 255, sum >> 8);
  return toBase32(bytes);
}

/** How long every id of the table is: its number takes a byte for each seven bits. */
export function idLengthOf(tableNumber: number): number {
  let numberBytes = 1;
  for (let rest = tableNumber; rest >= 128; rest = Math.floor(rest / 128)) numberBytes++;
  return base32Length(numberBytes + INTERNAL_ID_BYTES + CHECKSUM_BYTES);
}

/** The table number inside an id; null when the text is no id: wrong length, alphabet or checksum. */
export function tableNumberOfId(id: string): number | null {
  if (id.length < MIN_DOCUMENT_ID_LENGTH || id.length > MAX_DOCUMENT_ID_LENGTH) return null;
  const bytes = fromBase32(id);
  if (bytes === null) return null;
  let tableNumber = 0;
  let length = 0;
  let byte: number;
  do {
    if (length === MAX_TABLE_NUMBER_BYTES) return null;
    byte = bytes[length] ?? 0;
    tableNumber += (byte & 127) * 128 ** length;
    length++;
  } while (byte >= 128);
  const checked = length + INTERNAL_ID_BYTES;
  if (bytes.length !== checked + CHECKSUM_BYTES) return null;
  if (tableNumber < 1 || tableNumber > MAX_TABLE_NUMBER) return null;
  const sum = (bytes[checked] ?? 0) | ((bytes[checked + 1] ?? 0) << 8);
  return sum === checksum(bytes, checked) ? tableNumber : null;
}

/** Fletcher-16 with modulus 256, XORed with the version of the format, which is 0. */
function checksum(bytes: ArrayLike<number>, length: number): number {
  let low = 0;
  let high = 0;
  for (let i = 0; i < length; i++) {
    low = (low + (bytes[i] ?? 0)) & 255;
    high = (high + low) & 255;
  }
  return (high << 8) | low;
}

function toBase32(bytes: readonly number[]): string {
  let text = "";
  let bits = 0;
  let bitCount = 0;
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      text += ALPHABET[(bits >> bitCount) & 31];
    }
    bits &= 31;
  }
  return bitCount > 0 ? text + ALPHABET[(bits << (5 - bitCount)) & 31] : text;
}

/** Null for a foreign character, or when the bits behind the last whole byte are not zero. */
function fromBase32(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8));
  let filled = 0;
  let bits = 0;
  let bitCount = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = DIGIT_OF_CODE[text.charCodeAt(i)] ?? -1;
    if (digit < 0) return null;
    bits = ((bits << 5) | digit) & 0xfff;
    bitCount += 5;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[filled++] = (bits >> bitCount) & 255;
    }
  }
  return (bits & ((1 << bitCount) - 1)) === 0 ? bytes : null;
}
