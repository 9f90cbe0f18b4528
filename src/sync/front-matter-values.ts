/** Writes and removes values in YAML, TOML and JSON front matter. */
import { Scalar, stringify, YAMLSeq } from 'yaml';
import {
  endOf,
  type Fields,
  type Head,
  isTable,
  lineEnd,
  lineStart,
  type Path,
  type Place,
  placeOf,
  removeAt,
  spliced,
  valueAt,
} from './front-matter-places.ts';

/** A text is quoted where the format requires it. A time is written unchanged. */
export type Value = string | boolean | readonly string[] | { readonly time: string };

/**
 * Writes a value in the style of the old value. Returns undefined if the old value cannot be located.
 * @param hasBlocks true to put each item of a new list on its own line
 */
export function write(head: Head, fields: Fields, path: Path, value: Value, hasBlocks: boolean): Head | undefined {
  const old = valueAt(fields, path);
  if (head.kind === 'json') return rewriteJson(head, (root) => setAt(root, path, value));
  const entry = (key: string) => entryOf(head, key, value, hasBlocks || /^\s*- /m.test(head.text));
  const end = endOf(head);
  if (old === undefined) return spliced(head, [end, end], entry(String(path[0])) + head.eol);
  const place = placeOf(head, path);
  const source = head.text.slice(...(place?.value ?? []));
  if (!place) return undefined;
  if (source === '') return spliced(head, place.value, entry('').slice(1));
  if (!Array.isArray(old) || !isList(value) || old.length === 0)
    return spliced(head, place.value, sourceOf(head, value, source, place.inFlow));
  if (place.items.length !== old.length) return undefined;
  return (place.isBlock ? writeLines : writeFlow)(head, place, old, value);
}

/** Removes a field with its lines and trailing comment, and a YAML table that contains no other field. */
export function remove(head: Head, fields: Fields, path: Path): Head | undefined {
  if (head.kind === 'json') return rewriteJson(head, (root) => removeAt(root, path));
  const [outer, isItem] = [path.slice(0, -1), typeof path.at(-1) === 'number'];
  const parent = valueAt(fields, outer);
  const isOnly = path.length > 1 && isTable(parent) && Object.keys(parent).length === 1;
  if (isOnly && (isItem || head.kind === 'yaml')) return remove(head, fields, outer);
  const place = isItem ? undefined : placeOf(head, path);
  return place?.isAlone ? spliced(head, place.lines, '') : undefined;
}

function rewriteJson(head: Head, change: (root: unknown) => void): Head {
  const root: unknown = JSON.parse(head.text);
  change(root);
  const indent = /\n([ \t]+)"/.exec(head.text)?.[1] ?? '  ';
  const text = JSON.stringify(root, null, indent).replaceAll('\n', head.eol);
  return { ...head, text: text + head.text.slice(head.text.trimEnd().length) };
}

function setAt(root: unknown, path: Path, value: Value): void {
  const table = valueAt(root, path.slice(0, -1));
  if (isTable(table)) table[path.at(-1) ?? ''] = typeof value === 'object' && 'time' in value ? value.time : value;
}

function entryOf(head: Head, key: string, value: Value, hasBlocks: boolean): string {
  if (head.kind === 'toml') return `${key} = ${sourceOf(head, value)}`;
  if (!isList(value) || !hasBlocks) return `${key}: ${sourceOf(head, value)}`;
  return [`${key}:`, ...value.map((each) => `  - ${sourceOf(head, each)}`)].join(head.eol);
}

type ListWriter = (head: Head, place: Place, old: readonly unknown[], values: readonly string[]) => Head | undefined;

/** Writes the items of a list that has one item per line. Keeps each remaining item's comment. */
const writeLines: ListWriter = (head, { items }, old, values) => {
  const { text } = head;
  const starts = items.map(([from]) => lineStart(text, from));
  const ends = items.map(([, to], at) => starts[at + 1] ?? lineEnd(text, to));
  const marks = items.map(([from], at) => text.slice(starts[at], from));
  if (!marks.every((mark) => /^[ \t]*-[ \t]+$/.test(mark))) return undefined;
  const first = text.slice(...(items[0] ?? []));
  const lines = values.map((value) => {
    const at = indexIn(old, value);
    return at < 0 ? marks[0] + sourceOf(head, value, first) + head.eol : text.slice(starts[at], ends[at]);
  });
  return spliced(head, [starts[0] ?? 0, ends.at(-1) ?? 0], lines.join(''));
};

const writeFlow: ListWriter = (head, { items, value: [from, to] }, old, values) => {
  const sources = items.map((item) => head.text.slice(...item));
  const gaps = [...items, [to, to]].map(([start], at) => head.text.slice(items[at - 1]?.[1] ?? from, start));
  if (!/^\[[\s,]*\]$/.test(gaps.join(''))) return undefined;
  const [open = '', ...between] = gaps;
  const close = between.pop() ?? '';
  const written = values.map((value, at) => {
    const item = sources[indexIn(old, value)] ?? sourceOf(head, value, sources[0], true);
    return at === 0 ? item : (between[at - 1] ?? between.at(-1) ?? `,${open.slice(1) || ' '}`) + item;
  });
  return spliced(head, [from, to], open + written.join('') + close);
};

const isList = (value: Value): value is readonly string[] => Array.isArray(value);
const indexIn = (old: readonly unknown[], text: string): number =>
  old.findIndex((each) => String(each).trim() === text);

/** @param old the source of an existing value, whose quotation marks are used for the new one */
function sourceOf(head: Head, value: Value, old = '', inFlow = false): string {
  if (isList(value)) return `[${value.map((each) => sourceOf(head, each, '', true)).join(', ')}]`;
  if (typeof value === 'string')
    return head.kind === 'toml' ? tomlText(value, old) : yamlText(value, old, inFlow, head.eol);
  const [quote = ''] = /^["']/.exec(old) ?? [];
  return quote + (typeof value === 'boolean' ? value : value.time) + quote;
}

function tomlText(value: string, old: string): string {
  if (/^'(?!'')/.test(old) && !/['\p{Cc}]/u.test(value)) return `'${value}'`;
  return JSON.stringify(value).replaceAll('\x7F', '\\u007f');
}

// Also quotes values such as `yes` and `2024-05-01`, because Hugo and Jekyll read them as YAML 1.1 does.
const STYLE = {
  lineWidth: 0,
  compat: 'yaml-1.1',
  doubleQuotedMinMultiLineLength: 1e6,
  flowCollectionPadding: false,
} as const;

function yamlText(value: string, old: string, inFlow: boolean, eol: string): string {
  const [, header, indent = ''] = /^([|>][-+]?)[ \t]*\r?\n(?:[ \t]*\r?\n)*( +)\S/.exec(old) ?? [];
  if (header && !/^\s/.test(value) && (header.startsWith('|') || !value.includes('\n')))
    return [header, ...value.split('\n').map((line) => line && indent + line)].join(eol);
  const isDouble = value.includes('\n') || old.startsWith('"');
  const scalar = new Scalar(value);
  scalar.type = isDouble ? 'QUOTE_DOUBLE' : old.startsWith("'") ? 'QUOTE_SINGLE' : 'PLAIN';
  const list = new YAMLSeq();
  list.flow = inFlow;
  list.items = [scalar];
  const written = stringify(list, STYLE).trim();
  return inFlow ? written.slice(1, -1) : written.slice(2);
}
