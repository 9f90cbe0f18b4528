/** Locates, writes and removes values in front matter. Keeps all other bytes of YAML and TOML; reformats JSON. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { isCollection, isMap, isScalar, isSeq, parseDocument, Scalar, stringify, YAMLSeq } from 'yaml';
import type { Range } from './merge.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

export interface Head {
  readonly kind: 'yaml' | 'toml' | 'json';
  readonly before: string;
  readonly text: string;
  readonly after: string;
  readonly eol: string;
}

interface Place {
  /** Range of the value. If the field has no value, the range is empty and starts after the colon. */
  readonly value: Range;
  /** Ranges of the items if the value is a list of scalars. */
  readonly items: readonly Range[];
  readonly isBlock?: boolean;
  readonly inFlow?: boolean;
  /** Range of the field's lines, including their line endings. */
  readonly lines: Range;
  /** False if the lines also contain other fields. */
  readonly isAlone: boolean;
}

/** Finds the front matter by the same rules as `readDocument`. Returns empty front matter if the file has none. */
export function headOf(text: string): Head {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [object, mark = '', json] = /^(\uFEFF?)(\{\s*\r?\n\s*"[\s\S]*?\n\}[ \t]*(?:\r?\n|$))/.exec(text) ?? [];
  if (object && json) return { kind: 'json', before: mark, text: json, after: text.slice(object.length), eol };
  const [, before, fence, head = ''] =
    /^(\uFEFF?(---|\+\+\+)[ \t]*\r?\n)([\s\S]*?)(?<=\n)\2[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  const kind = fence === '+++' ? 'toml' : 'yaml';
  if (before) return { kind, before, text: head, after: text.slice(before.length + head.length), eol };
  const body = text.replace(/^\uFEFF/, '');
  const gap = /^\r?\n|^$/.test(body) ? '' : eol;
  const start = `${text.slice(0, text.length - body.length)}---${eol}`;
  return { kind, before: start, text: '', after: `---${eol}${gap}${body}`, eol };
}

export const textOf = ({ before, text, after }: Head): string => before + text + after;

export const spliced = (head: Head, [from, to]: Range, text: string): Head => ({
  ...head,
  text: head.text.slice(0, from) + text + head.text.slice(to),
});

export const isTable = (value: unknown): value is Record<string | number, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

export const valueAt = (fields: unknown, path: Path): unknown =>
  path.reduce((value, name) => (isTable(value) ? value[name] : undefined), fields);

/** Removes a value, and any tables that this leaves empty. */
export function removeAt(table: unknown, [name = '', ...inner]: Path): void {
  if (!isTable(table)) return;
  const value = table[name];
  if (inner.length > 0) removeAt(value, inner);
  if (inner.length > 0 && !(isTable(value) && Object.keys(value).length === 0)) return;
  if (Array.isArray(table)) table.splice(Number(name), 1);
  else delete table[name];
}

export const placeOf = (head: Head, path: Path): Place | undefined =>
  head.kind === 'yaml' ? yamlPlace(head.text, path) : tomlPlace(head.text, path);

/** Returns the offset at which to insert a new field. In TOML, that is before the first table. */
export function endOf({ kind, text }: Head): number {
  const statements = kind === 'toml' ? statementsIn(text) : [];
  const table = statements.findIndex((each) => each.isHead);
  return table < 0 ? text.length : (statements[table - 1]?.lines[1] ?? 0);
}

function yamlPlace(text: string, path: Path): Place | undefined {
  const { errors, contents } = parseDocument(text, { logLevel: 'error' });
  let node: unknown = errors.length > 0 ? undefined : contents;
  let [key, whole, inFlow]: [Range, Range, boolean] = [[0, 0], [0, 0], false];
  for (const name of path) {
    inFlow ||= isCollection(node) && node.flow === true;
    const pair = isMap(node) ? node.items.find((each) => isScalar(each.key) && each.key.value === name) : undefined;
    node = isSeq(node) ? node.items[Number(name)] : pair?.value;
    const range = rangeOf(node, text);
    if (!range) return undefined;
    if (!pair) continue;
    [key, whole] = [rangeOf(pair.key, text) ?? [0, 0], range];
    if (!/^\s*:(?:\s|#.*\n)*$/.test(text.slice(key[1], whole[0]))) return undefined;
  }
  const [from, to] = rangeOf(node, text) ?? [0, 0];
  const items = isSeq(node) ? node.items.map((item) => (isScalar(item) ? rangeOf(item, text) : undefined)) : [];
  const colon = text.indexOf(':', key[1]) + 1;
  const lines: Range = [lineStart(text, key[0]), lineEnd(text, whole[1])];
  return {
    value: from === to ? [colon, colon] : [from, to],
    items: items.filter((range) => range !== undefined),
    isBlock: isSeq(node) && !node.flow,
    inFlow,
    lines,
    isAlone:
      /^[ \t]*$/.test(text.slice(lines[0], key[0])) && /^[ \t]*(?:#.*)?\r?\n$/.test(text.slice(whole[1], lines[1])),
  };
}

/** Returns a node's range without trailing line breaks; undefined for an alias, an anchored node or a tagged scalar. */
function rangeOf(node: unknown, text: string): Range | undefined {
  if (!(isScalar(node) || isCollection(node)) || !node.range || node.anchor) return undefined;
  const [from, to] = node.range;
  return isScalar(node) && node.tag ? undefined : [from, from + text.slice(from, to).trimEnd().length];
}

function tomlPlace(text: string, path: Path): Place | undefined {
  const names = path.filter((name) => typeof name === 'string');
  const found = statementsIn(text).find((each) => !each.isHead && isDeepStrictEqual(each.path, names));
  const value = names.length === path.length ? found?.value : found?.items[Number(path.at(-1))];
  return found && value && { ...found, value, isAlone: true };
}

interface Statement extends Pick<Place, 'value' | 'items' | 'lines'> {
  readonly path: readonly string[];
  /** True for a table's header. */
  readonly isHead: boolean;
}

const TOML_TOKEN =
  /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#.*|[=[\]{}\n]|[^"'#=[\]{}\n]+/g;

/** Returns the fields and table headers of valid TOML, in order. */
function statementsIn(text: string): Statement[] {
  const found: Statement[] = [];
  let [table, items]: [readonly string[], Range[]] = [[], []];
  let [from, to, equals, depth] = [0, 0, 0, 0];
  for (const { 0: token, index } of text.matchAll(TOML_TOKEN)) {
    const end = index + token.length;
    if (/^[[{]$/.test(token)) depth++;
    else if (/^[\]}]$/.test(token)) depth--;
    else if (token === '=' && depth === 0) equals = end;
    else if (/^["']/.test(token) && depth === 1) items.push([index, end]);
    if (token.trim() !== '' && !token.startsWith('#')) to = index + token.trimEnd().length;
    if (token !== '\n' || depth > 0) continue;
    const isHead = equals <= from;
    if (to > from) {
      const names = namesIn(parseToml(isHead ? text.slice(from, to) : `${text.slice(from, equals)}0`));
      const value: Range = [equals + text.slice(equals).search(/\S/), to];
      if (isHead) table = names;
      found.push({ path: isHead ? names : [...table, ...names], isHead, value, items, lines: [from, end] });
    }
    [from, items] = [end, []];
  }
  return found;
}

function namesIn(value: unknown): string[] {
  const [entry] = isTable(value) ? Object.entries(value) : [];
  return entry ? [entry[0], ...namesIn(entry[1])] : [];
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const lineEnd = (text: string, at: number): number => text.indexOf('\n', at) + 1 || text.length;

/** Strings are quoted where the format requires it. Times are written unchanged. */
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

/** Removes a field's lines and trailing comment. Also removes a YAML table that contains no other field. */
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

// Also quotes values such as `yes` and `2024-05-01`, which Hugo and Jekyll (YAML 1.1) do not read as strings.
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
