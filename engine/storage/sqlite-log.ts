/**
 * Owns: whether the write-ahead log that a crash left behind can be taken over whole.
 * Not: taking it over (SQLite does), the database beside it (sqlite-file.ts).
 *
 * SQLite reads a log up to the first frame that is not right and forgets the rest without a word. That is what it
 * should do with the group that was being written when the power went, the only one that nobody was told of. But when
 * frames follow behind that group, they were written after it had reached the disk: then the disk has lost something
 * that was acknowledged. Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit tells the byte order of the checksums. */
const LITTLE_ENDIAN_LOG = 0x377f0682;
const BIG_ENDIAN_LOG = 0x377f0683;

type Checksum = readonly [number, number];
type LogHeader = {
  readonly isLittleEndian: boolean;
  readonly pageBytes: number;
  /** Of this log; frames of an older one that lie behind have others. */
  readonly salt: string;
  readonly checksum: Checksum;
};

/** Null when all is well, otherwise what is wrong, in words. */
export function findLogDamage(path: string): string | null {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size <= HEADER_BYTES) return null;
    const header = readHeader(file);
    return header === null
      ? "the header of its log is damaged"
      : findFrameDamage(file, size, header);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, bytes: number, position: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  const count = readSync(file, buffer, 0, bytes, position);
  return buffer.subarray(0, count);
}

function readHeader(file: number): LogHeader | null {
  const header = readAt(file, HEADER_BYTES, 0);
  const magic = header.readUInt32BE(0);
  if (magic !== LITTLE_ENDIAN_LOG && magic !== BIG_ENDIAN_LOG) return null;
  const isLittleEndian = magic === LITTLE_ENDIAN_LOG;
  const checksum = extend([0, 0], header.subarray(0, 24), isLittleEndian);
  if (!isSame(checksum, header, 24)) return null;
  const salt = header.toString("latin1", 16, 24);
  return { isLittleEndian, pageBytes: header.readUInt32BE(8), salt, checksum };
}

function findFrameDamage(file: number, size: number, header: LogHeader): string | null {
  const { isLittleEndian, pageBytes, salt } = header;
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  let checksum = header.checksum;
  let firstBad: number | null = null;
  let isGroupOver = false;
  for (let at = HEADER_BYTES; at + frameBytes <= size; at += frameBytes) {
    const frame = readAt(file, frameBytes, at);
    const isOfThisLog = frame.toString("latin1", 8, 16) === salt;
    if (firstBad === null) {
      checksum = extend(checksum, frame.subarray(0, 8), isLittleEndian);
      checksum = extend(checksum, frame.subarray(FRAME_HEADER_BYTES), isLittleEndian);
      if (isOfThisLog && isSame(checksum, frame, 16)) continue;
      firstBad = at;
    } else if (isOfThisLog && isGroupOver)
      return `its log is damaged at byte ${firstBad}, and commits stand behind that`;
    // How many pages the database has after this commit; 0 where the group goes on.
    if (isOfThisLog && frame.readUInt32BE(4) !== 0) isGroupOver = true;
  }
  return null;
}

/** SQLite's own sum: two 32-bit words at a time, each into the other. */
function extend([first, second]: Checksum, bytes: Buffer, isLittleEndian: boolean): Checksum {
  let s0 = first;
  let s1 = second;
  for (let at = 0; at < bytes.length; at += 8) {
    const x0 = isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    const x1 = isLittleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    s0 = (s0 + x0 + s1) >>> 0;
    s1 = (s1 + x1 + s0) >>> 0;
  }
  return [s0, s1];
}

function isSame([s0, s1]: Checksum, stored: Buffer, at: number): boolean {
  return stored.readUInt32BE(at) === s0 && stored.readUInt32BE(at + 4) === s1;
}
