/**
 * Owns: the form in which a value stands in the database: short ones as their text, the others packed.
 * Not: what a value means. Keys with the same first bytes hold similar values (the documents of one table).
 *
 * Documents of a table repeat their field names and many short values, so each is packed with a dictionary of those: a
 * third of the bytes, for about ten microseconds, and one or two to have it back. A dictionary is stored in the same
 * group of commits as the first value that needs it, and never changes. Values that are too long for that go to zlib.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { StorageError } from "../errors.ts";
import { dictionaryOf } from "./dictionaries.ts";
import { ShortTexts } from "./short-texts.ts";
import type { Key } from "./storage.ts";

/** Keys that begin with the same so many bytes share a dictionary. */
const SHARED_PREFIX_BYTES = 5;
/** Below this, nothing is gained; above, packing takes so long that others notice. */
const MIN_PACKED_CHARACTERS = 96;
const MAX_PACKED_CHARACTERS = 16_384;
/** Values of a group that are looked at before its dictionary is made: so many, or so many characters together. */
const VALUES_LOOKED_AT = 256;
const MAX_CHARACTERS_LOOKED_AT = 262_144;
/** What zlib looks back over with this window; a larger one costs more memory for each value than it saves. */
const WINDOW_BITS = 12;
const MAX_DICTIONARY_BYTES = 2 ** WINDOW_BITS - 512;
/** Groups that are watched for a dictionary at a time; others stay as they are. */
const MAX_WATCHED_GROUPS = 64;
/** The number of the dictionary stands in two bytes before each value; their highest bit says that zlib packed it not. */
const NUMBER_BYTES = 2;
const IS_SHORT = 0x80;
const MAX_DICTIONARIES = 32_767;

const PACKING = { level: 6, memLevel: 5, windowBits: WINDOW_BITS, chunkSize: 1_024 } as const;

type Dictionary = {
  readonly number: number;
  readonly bytes: Uint8Array;
  readonly short: ShortTexts;
};

export const DICTIONARY_TABLE =
  "CREATE TABLE dictionaries (number INTEGER PRIMARY KEY, prefix BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;";

/** Reads values in either form. */
export class ValueReader {
  readonly #database: DatabaseSync;
  readonly #dictionaries = new Map<number, Dictionary>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  text(value: unknown): string {
    return value instanceof Uint8Array ? this.#unpack(value) : String(value);
  }

  #unpack(value: Uint8Array): string {
    const [high = 0, low = 0] = value;
    const isShort = (high & IS_SHORT) !== 0;
    const { bytes, short } = this.#dictionary(((high & ~IS_SHORT) << 8) | low);
    const packed = value.subarray(NUMBER_BYTES);
    if (isShort) return short.unpack(packed);
    return inflateRawSync(packed, { dictionary: bytes, windowBits: WINDOW_BITS }).toString("utf8");
  }

  #dictionary(number: number): Dictionary {
    const known = this.#dictionaries.get(number);
    if (known !== undefined) return known;
    const bytes = this.#database
      .prepare("SELECT bytes FROM dictionaries WHERE number = ?")
      .get(number)?.["bytes"];
    if (!(bytes instanceof Uint8Array)) {
      throw new StorageError(
        "corrupt",
        `The database lacks dictionary ${number}, which a value was packed with. Start with a backup.`,
      );
    }
    const dictionary = { number, bytes, short: new ShortTexts(bytes) };
    this.#dictionaries.set(number, dictionary);
    return dictionary;
  }

  /** Dictionaries that were written may be undone. */
  forget(): void {
    this.#dictionaries.clear();
  }
}

/** Packs values on their way into the database. */
export class ValueWriter {
  readonly #all: StatementSync;
  readonly #insert: StatementSync;
  readonly #dictionaries = new Map<string, Dictionary>();
  /** Of a group without a dictionary: the values that were seen. */
  readonly #watched = new Map<string, { values: string[]; characters: number }>();

  constructor(database: DatabaseSync) {
    this.#all = database.prepare("SELECT number, prefix, bytes FROM dictionaries");
    this.#insert = database.prepare(
      "INSERT INTO dictionaries (number, prefix, bytes) VALUES (?, ?, ?)",
    );
    this.forget();
  }

  /** Within the transaction in which the value is written. */
  stored(key: Key, text: string): string | Uint8Array {
    if (text.length < MIN_PACKED_CHARACTERS || text.length > MAX_PACKED_CHARACTERS) return text;
    const dictionary = this.#dictionaryFor(key.slice(0, SHARED_PREFIX_BYTES), text);
    if (dictionary === null) return text;
    const short = dictionary.short.pack(text);
    const packed = short ?? deflateRawSync(text, { ...PACKING, dictionary: dictionary.bytes });
    if (packed.length + NUMBER_BYTES >= text.length) return text;
    const stored = new Uint8Array(NUMBER_BYTES + packed.length);
    stored[0] = (dictionary.number >> 8) | (short === null ? 0 : IS_SHORT);
    stored[1] = dictionary.number & 255;
    stored.set(packed, NUMBER_BYTES);
    return stored;
  }

  /** Reads again what the database holds: at the start, and when a group was undone. */
  forget(): void {
    this.#dictionaries.clear();
    this.#watched.clear();
    for (const { number, prefix, bytes } of this.#all.all()) {
      if (!(prefix instanceof Uint8Array) || !(bytes instanceof Uint8Array)) continue;
      const group = Buffer.from(prefix).toString("latin1");
      const dictionary = { number: Number(number), bytes, short: new ShortTexts(bytes) };
      this.#dictionaries.set(group, dictionary);
    }
  }

  #dictionaryFor(group: string, text: string): Dictionary | null {
    const known = this.#dictionaries.get(group);
    if (known !== undefined) return known;
    const watched = this.#watched.get(group) ?? { values: [], characters: 0 };
    if (watched.values.length === 0 && this.#watched.size >= MAX_WATCHED_GROUPS) return null;
    this.#watched.set(group, watched);
    watched.values.push(text);
    watched.characters += text.length;
    const isEnough =
      watched.values.length >= VALUES_LOOKED_AT || watched.characters >= MAX_CHARACTERS_LOOKED_AT;
    return isEnough ? this.#make(group, watched.values) : null;
  }

  #make(group: string, values: readonly string[]): Dictionary | null {
    const number = this.#dictionaries.size + 1;
    if (number > MAX_DICTIONARIES) return null;
    const bytes = dictionaryOf(values, MAX_DICTIONARY_BYTES);
    this.#insert.run(number, Buffer.from(group, "latin1"), bytes);
    this.#watched.delete(group);
    const dictionary = { number, bytes, short: new ShortTexts(bytes) };
    this.#dictionaries.set(group, dictionary);
    return dictionary;
  }
}
