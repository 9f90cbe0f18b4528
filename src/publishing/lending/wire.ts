/** Answers of stored pages as they go over the wire, made once a second: their date and age are whole seconds. */
import { holdsAlready } from '../store/conditional.ts';
import { type Held, showAge } from '../store/resident.ts';
import type { PlainRead } from './plain-read.ts';

interface Wire {
  /** Seconds since 1970. */
  readonly at: number;
  readonly whole: Buffer;
  readonly headLength: number;
  readonly notModified: Buffer;
}

const wires = new WeakMap<Held, Wire>();

/** The bytes that answer `read` with this form of the page. `keepAlive` in seconds. */
export function wireOf(held: Held, read: PlainRead, now: number, keepAlive: number): Buffer {
  let wire = wires.get(held);
  if (wire?.at !== now) {
    wire = made(held, now, keepAlive);
    wires.set(held, wire);
  }
  if (read.ifNoneMatch !== undefined && holdsAlready(read.ifNoneMatch, held.etag)) return wire.notModified;
  return read.isHead ? wire.whole.subarray(0, wire.headLength) : wire.whole;
}

function made(held: Held, now: number, keepAlive: number): Wire {
  const age = Math.max(0, now - held.entry.checkedAt);
  if (age !== held.age) showAge(held, age);
  const end = `Date: ${new Date(now * 1000).toUTCString()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${keepAlive}\r\n\r\n`;
  const head = Buffer.from(`HTTP/1.1 200 OK\r\n${lines(held.head)}${end}`, 'latin1');
  return {
    at: now,
    whole: Buffer.concat([head, held.body]),
    headLength: head.length,
    notModified: Buffer.from(`HTTP/1.1 304 Not Modified\r\n${lines(held.notModified)}${end}`, 'latin1'),
  };
}

function lines(headers: readonly string[]): string {
  let text = '';
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return text;
}
