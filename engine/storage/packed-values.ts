/**
 * Owns: the form in which a value stands in the database: short ones as their text, the others packed.
 * Not: what a value means. Keys with the same first bytes hold similar values (the documents of one table).
 *
 * Documents of a table repeat their field names and many short values, so each is packed with a dictionary of those:
 * two fifths of the bytes, for some ten microseconds. A dictionary is stored in the same group of commits as the first
 * value that needs it, and never changes. It outlives the rows that it was made of, so it holds only what many of them
 * have in common and nothing long: no id, no address, no sentence.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { StorageError } from "../errors.ts";
import type { Key } from "./storage.ts";

/** Keys that begin with the same so many bytes share a dictionary. */
const SHARED_PREFIX_BYTES = 5;
/** Below this, nothing is gained; above, packing takes so long that others notice. */
const MIN_PACKED_CHARACTERS = 200;
const MAX_PACKED_CHARACTERS = 16_384;
/** Values of a group that are looked at before its dictionary is made. */
const VALUES_LOOKED_AT = 256;
/** A word belongs into the dictionary when at least one in so many of them has it. */
const ONE_IN = 20;
const MAX_WORD_LENGTH = 24;
/** What zlib looks back over with this window; a larger one costs more memory for each value than it saves. */
const WINDOW_BITS = 12;
const MAX_DICTIONARY_BYTES = 2 ** WINDOW_BITS - 512;
/** JSON's names and texts; a text of several lines is one word a line. */
const NAME_OR_TEXT = /"(?:[^"\\]|\\.)*":?/g;
const BEFORE_A_LINE = /(?=\\n)/;
/** Groups that are watched for a dictionary at a time; others stay as they are. */
const MAX_WATCHED_GROUPS = 256;
/** Its number stands in two bytes before each value. */
const MAX_DICTIONARIES = 65_535;
const NUMBER_BYTES = 2;

const PACKING = { level: 6, memLevel: 5, windowBits: WINDOW_BITS, chunkSize: 1_024 } as const;

type Dictionary = { readonly number: number; readonly bytes: Uint8Array };

export const DICTIONARY_TABLE =
  "CREATE TABLE dictionaries (number INTEGER PRIMARY KEY, prefix BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;";

/** Reads values in either form. */
export class ValueReader {
  readonly #database: DatabaseSync;
  readonly #dictionaries = new Map<number, Uint8Array>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  text(value: unknown): string {
    return value instanceof Uint8Array ? this.#unpack(value) : String(value);
  }

  #unpack(packed: Uint8Array): string {
    const dictionary = this.#dictionary(((packed[0] ?? 0) << 8) | (packed[1] ?? 0));
    const bytes = inflateRawSync(packed.subarray(NUMBER_BYTES), {
      dictionary,
      windowBits: WINDOW_BITS,
    });
    return bytes.toString("utf8");
  }

  #dictionary(number: number): Uint8Array {
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
    this.#dictionaries.set(number, bytes);
    return bytes;
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
  /** How many values of a group were looked at, and how many of them have a word. */
  readonly #watched = new Map<string, { values: number; words: Map<string, number> }>();

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
    const packed = deflateRawSync(text, { ...PACKING, dictionary: dictionary.bytes });
    if (packed.length + NUMBER_BYTES >= text.length) return text;
    const stored = new Uint8Array(NUMBER_BYTES + packed.length);
    stored[0] = dictionary.number >> 8;
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
      this.#dictionaries.set(group, { number: Number(number), bytes });
    }
  }

  #dictionaryFor(group: string, text: string): Dictionary | null {
    const known = this.#dictionaries.get(group);
    if (known !== undefined) return known;
    const watched = this.#watched.get(group) ?? { values: 0, words: new Map<string, number>() };
    if (watched.values === 0 && this.#watched.size >= MAX_WATCHED_GROUPS) return null;
    this.#watched.set(group, watched);
    watched.values += 1;
    for (const word of wordsOf(text)) {
      watched.words.set(word, (watched.words.get(word) ?? 0) + 1);
    }
    return watched.values < VALUES_LOOKED_AT ? null : this.#make(group, watched.words);
  }

  #make(group: string, words: ReadonlyMap<string, number>): Dictionary | null {
    const number = this.#dictionaries.size + 1;
    if (number > MAX_DICTIONARIES) return null;
    // The nearer a word stands to the end, the shorter is the reference to it.
    const common = [...words]
      .filter(([, values]) => values * ONE_IN >= VALUES_LOOKED_AT)
      .sort(([, a], [, b]) => a - b)
      .map(([word]) => word);
    const bytes = Buffer.from(common.join(""), "utf8").subarray(-MAX_DICTIONARY_BYTES);
    this.#insert.run(number, Buffer.from(group, "latin1"), bytes);
    this.#watched.delete(group);
    const dictionary = { number, bytes };
    this.#dictionaries.set(group, dictionary);
    return dictionary;
  }
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const found of text.match(NAME_OR_TEXT) ?? []) {
    for (const word of found.split(BEFORE_A_LINE)) {
      if (word.length <= MAX_WORD_LENGTH) words.add(word);
    }
  }
  return words;
}
