/** Splits off front matter: YAML (Jekyll, Hugo, Astro), TOML between `+++` (Hugo, Zola) or a JSON object (Hugo). */

import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { OperatorError } from '#blog/errors.ts';

export interface Document {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

const FENCED = /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)(?<=\n)\1[ \t]*(?:\r?\n|$)/;

const JSON_OBJECT = /^\{\s*\r?\n\s*"[\s\S]*?\n\}[ \t]*(?:\r?\n|$)/;

/** Splits a file into fields and body. @throws OperatorError with the reason if the front matter is malformed */
export function readDocument(text: string): Document {
  const source = text.replace(/^\uFEFF/, '');
  const [object] = JSON_OBJECT.exec(source) ?? [];
  if (object) return { fields: parsed('JSON', () => JSON.parse(object)), body: source.slice(object.length) };
  const match = FENCED.exec(source);
  if (!match) {
    if (/^\+\+\+[ \t]*\r?\n/.test(source))
      throw new OperatorError('the front matter does not end: there is no closing line “+++”');
    if (/^---[ \t]*\r?\n[A-Za-z_][\w-]*:(?:[ \t]|\r?\n)/.test(source))
      throw new OperatorError('the front matter does not end: there is no closing line “---”');
    // Any other `---` at the top is a horizontal rule, not front matter.
    return { fields: {}, body: source };
  }
  const [whole, fence, head = ''] = match;
  const fields = fence === '+++' ? parsed('TOML', () => parseToml(head)) : yamlFields(head);
  return { fields, body: source.slice(whole.length) };
}

/** Splits a file into fields and body; returns undefined if its front matter is malformed. */
export function documentIn(text: string): Document | undefined {
  try {
    return readDocument(text);
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
}

function parsed<Fields>(kind: string, parse: () => Fields): Fields {
  try {
    return parse();
  } catch (error) {
    const [line] = String((error as Error).message).split('\n');
    throw new OperatorError(`the ${kind} front matter cannot be read: ${line}`);
  }
}

const parseQuietly = (head: string): unknown => parseYaml(head, { logLevel: 'error' });

function yamlFields(head: string): Record<string, unknown> {
  const fields = parsed('YAML', () => {
    try {
      return parseQuietly(head);
    } catch (error) {
      const mended = quotedAnew(head);
      try {
        if (mended !== head) return parseQuietly(mended);
      } catch {}
      throw error;
    }
  });
  if (fields === null || fields === undefined) return {};
  if (typeof fields === 'object' && !Array.isArray(fields)) return fields as Record<string, unknown>;
  throw new OperatorError('the YAML front matter is not a list of fields');
}

/** Escapes values, because Hashnode writes `key: "value"` even if the value contains quotation marks or line breaks. */
const quotedAnew = (head: string): string =>
  head.replace(
    /^(\w+): "([\s\S]*?)"[ \t]*\r?\n(?=\w+:|\s*$)/gm,
    (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}\n`,
  );
