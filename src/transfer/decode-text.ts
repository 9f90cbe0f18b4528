import { OperatorError } from '#blog/errors.ts';

export interface Repair {
  readonly file: string;
  readonly line: number;
  readonly what: string;
  readonly isLoss: boolean;
}

/** A range of lines in a file. Without `first` and `last`, the entire file. */
export interface Place {
  readonly file: string;
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

export type Repairs = ReturnType<typeof createRepairs>;

const MOST_REPAIRS = 500;

/** Lists repairs made while reading. Adding the same repair twice has no effect, because some files are read twice. */
export function createRepairs() {
  const known = new Map<string, Set<string>>();
  let open: Repair[] = [];
  return {
    add(repair: Repair): void {
      const { file, line, what, isLoss } = repair;
      const ofFile = known.get(file) ?? new Set();
      known.set(file, ofFile);
      if (ofFile.size > MOST_REPAIRS || ofFile.has(`${line} ${what}`)) return;
      ofFile.add(`${line} ${what}`);
      open.push(ofFile.size > MOST_REPAIRS ? { file, line, what: 'and more like this', isLoss } : repair);
    },
    take(place?: Place): Repair[] {
      const isInside = ({ file, line }: Repair) =>
        !place ||
        (file === place.file && line >= (place.first ?? 0) && line <= (place.last ?? Number.POSITIVE_INFINITY));
      const taken = open.filter(isInside);
      if (taken.length > 0) open = open.filter((each) => !isInside(each));
      return taken;
    },
  };
}

export const repairText = ({ line, what }: Repair): string => `line ${line}: ${what}`;

const UNREADABLE = /[\ufffd\0]/g;
/** A file is rejected if it has more unreadable characters than this, and more than one in `TEXT_RATIO` characters. */
const MOST_UNREADABLE = 20;
const TEXT_RATIO = 200;
const MOST_WORDS = 5;

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * Returns a function that decodes one chunk, or the rest when called without a chunk. The encoding comes from the
 * byte-order mark or the XML declaration, and defaults to UTF-8. Invalid bytes become U+FFFD.
 * @throws OperatorError from the returned function if the file is binary or not in the detected encoding
 */
export function createDecoder(file: string, repairs: Repairs): (bytes?: Buffer) => string {
  let decoder: TextDecoder | undefined;
  let line = 1;
  let characters = 0;
  let unreadable = 0;
  let lastBytes = '';
  const report = (text: string, encoding: string) => {
    for (const [index, each] of text.split('\n').entries()) {
      if (!each.includes('\ufffd')) continue;
      const words = each.match(/[^\s<>[\]"]{0,20}\ufffd[^\s<>[\]"]{0,20}/g) ?? [];
      const shown = words.slice(0, MOST_WORDS).join(', ') + (words.length > MOST_WORDS ? ' …' : '');
      const what = `not valid ${encoding}, replaced with “\ufffd”: ${shown}`;
      repairs.add({ file, line: line + index, what, isLoss: true });
    }
  };
  return (bytes = Buffer.alloc(0)) => {
    decoder ??= decoderFor(bytes);
    const encoding = decoder.encoding.toUpperCase();
    const text = decoder.decode(bytes, { stream: bytes.length > 0 });
    characters += text.length;
    unreadable += text.match(UNREADABLE)?.length ?? 0;
    if (unreadable > MOST_UNREADABLE && unreadable * TEXT_RATIO > characters)
      throw new OperatorError(`${file} is not ${encoding} text.`);
    const chunk = lastBytes + (text.includes('\ufffd') ? bytes.toString('latin1') : '');
    // Does not report a U+FFFD that is already in the file, because an earlier conversion lost that character.
    const isOwn = encoding === 'UTF-8' && countOf(chunk, '\xef\xbf\xbd') === countOf(text, '\ufffd');
    if (!isOwn && text.includes('\ufffd')) report(text, encoding);
    lastBytes = bytes.subarray(-2).toString('latin1');
    line += countOf(text, '\n');
    return text;
  };
}

/** Decodes an entire file. @throws OperatorError if it is binary or not in the detected encoding */
export function decodeText(file: string, bytes: Buffer, repairs: Repairs): string {
  const decode = createDecoder(file, repairs);
  return decode(bytes) + decode();
}

export const decodeHead = (bytes: Buffer): string => decoderFor(bytes).decode(bytes, { stream: true });

function decoderFor(bytes: Buffer): TextDecoder {
  const [first, second] = bytes;
  const byMark = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : '';
  const named = /^[^<]*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(
    bytes.subarray(0, 200).toString('latin1'),
  )?.[1];
  try {
    return new TextDecoder(byMark || named || 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
