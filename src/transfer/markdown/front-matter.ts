/**
 * Splits off front matter: YAML between `---` (Jekyll, Hugo, Astro), TOML between `+++` (Hugo, Zola) or a JSON object
 * (Hugo).
 */

import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { OperatorError } from '#blog/errors.ts';

export interface Document {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FENCED = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)(?<=\n)\1[ \t]*(?:\r?\n|$)/;

const JSON_OBJECT = /^\{\s*\r?\n\s*"[\s\S]*?\n\}[ \t]*(?:\r?\n|$)/;

/** @throws OperatorError with the reason and the line */
export function readDocument(text: string): Document {
  const source = text.replace(/^\uFEFF/, '');
  const [object] = JSON_OBJECT.exec(source) ?? [];
  if (object) return { fields: jsonFields(object), body: source.slice(object.length) };
  const match = FENCED.exec(source);
  if (!match) {
    if (/^\+\+\+[ \t]*\r?\n/.test(source))
      throw new OperatorError('the front matter does not end: a line "+++" is missing');
    // A lone `---` at the top is a rule, not front matter.
    return { fields: {}, body: source };
  }
  const [whole, fence, head = ''] = match;
  return { fields: fence === '+++' ? tomlFields(head) : yamlFields(head), body: source.slice(whole.length) };
}

function tomlFields(head: string): Record<string, unknown> {
  try {
    return parseToml(head);
  } catch (error) {
    throw new OperatorError(`the TOML front matter cannot be read: ${firstLine(error)}`);
  }
}

function jsonFields(head: string): Record<string, unknown> {
  try {
    return JSON.parse(head) as Record<string, unknown>;
  } catch (error) {
    throw new OperatorError(`the JSON front matter cannot be read: ${firstLine(error)}`);
  }
}

function yamlFields(head: string): Record<string, unknown> {
  let fields: unknown;
  try {
    fields = parseYaml(head, { logLevel: 'error' });
  } catch (error) {
    const mended = quotedAnew(head);
    try {
      fields = mended !== head && parseYaml(mended, { logLevel: 'error' });
    } catch {}
    if (!fields) throw new OperatorError(`the YAML front matter cannot be read: ${firstLine(error)}`);
  }
  if (fields === null || fields === undefined) return {};
  if (typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>;
  throw new OperatorError('the YAML front matter is no list of fields');
}

/**
 * Quotes values again: Hashnode writes `key: "value"` around any value, even one with quotation marks and line breaks.
 */
const quotedAnew = (head: string): string =>
  head.replace(
    /^(\w+): "([\s\S]*?)"[ \t]*\r?\n(?=\w+:|\s*$)/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}\n`,
  );

const firstLine = (error: unknown): string => String((error as Error).message).split('\n')[0] ?? '';
