/** Locates values in YAML and TOML front matter. */
import { isDeepStrictEqual } from 'node:util';
import { parse as parseToml } from 'smol-toml';
import { isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml';
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

export interface Place {
  /** Range of the value. If the field has no value, it is empty and follows the colon. */
  readonly value: Range;
  /** Ranges of the items if the value is a list of scalars. */
  readonly items: readonly Range[];
  readonly isBlock?: boolean;
  readonly inFlow?: boolean;
  /** Range of the field's lines, including their line ends. */
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

/** Returns a node's range without trailing line ends; undefined for an alias or a node with an anchor or a tag. */
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

export const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
export const lineEnd = (text: string, at: number): number => text.indexOf('\n', at) + 1 || text.length;
