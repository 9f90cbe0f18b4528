/** Counts WAL frames up to the first bad checksum, like SQLite's recovery (sqlite.org/fileformat2.html#walformat). */
import { closeSync, openSync, readSync } from 'node:fs';

const HEADER = 32;
const FRAME_HEADER = 24;
/** Magic number in the header if checksums use big-endian words. */
const BIG_ENDIAN = 0x377f0683;
const LITTLE_ENDIAN = 0x377f0682;

export function wholeFrames(file: string): number {
  const descriptor = openSync(file, 'r');
  try {
    const header = Buffer.alloc(HEADER);
    if (readSync(descriptor, header, 0, HEADER, 0) < HEADER) return 0;
    const magic = header.readUInt32BE(0);
    if (magic !== BIG_ENDIAN && magic !== LITTLE_ENDIAN) return 0;
    const isLittle = magic === LITTLE_ENDIAN;
    let sum = checksum(header, 0, 24, [0, 0], isLittle);
    if (!isSum(header, 24, sum)) return 0;
    const pageSize = header.readUInt32BE(8);
    const frame = Buffer.alloc(FRAME_HEADER + pageSize);
    for (let count = 0; ; count++) {
      if (readSync(descriptor, frame, 0, frame.length, HEADER + count * frame.length) < frame.length) return count;
      // Frames with salts other than the header's are left over from before SQLite restarted the WAL.
      if (frame.compare(header, 16, 24, 8, 16) !== 0) return count;
      sum = checksum(frame, FRAME_HEADER, frame.length, checksum(frame, 0, 8, sum, isLittle), isLittle);
      if (!isSum(frame, 16, sum)) return count;
    }
  } finally {
    closeSync(descriptor);
  }
}

type Sum = readonly [number, number];

function checksum(bytes: Buffer, start: number, end: number, [first, second]: Sum, isLittle: boolean): Sum {
  let a = first;
  let b = second;
  for (let at = start; at < end; at += 8) {
    a = (a + (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + b) >>> 0;
    b = (b + (isLittle ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

const isSum = (bytes: Buffer, at: number, [a, b]: Sum): boolean =>
  bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b;
