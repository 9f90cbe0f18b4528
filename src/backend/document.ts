import { faultOf } from '#blog/errors.ts';
import {
  LISTED_FIELD_NAMES,
  listedValues,
  OPTIONAL_FIELD_NAMES,
  type Post,
  type PostSummary,
  postValues,
} from '#blog/post.ts';

export interface ArticleDocument {
  readonly $id: string;
  readonly $createdAt: string;
  readonly $updatedAt: string;
  readonly $permissions: readonly string[];
  readonly [attribute: string]: unknown;
}

export function postOf(document: ArticleDocument): Post {
  return { ...summaryOf(document), ...withoutMark(postValues(document)) };
}

export function summaryOf(document: ArticleDocument): PostSummary {
  return {
    id: document.$id,
    ...withoutMark(listedValues(document)),
    userId: text(document.userId).slice(0, ID_SIZE),
    createdAt: document.$createdAt,
    updatedAt: document.$updatedAt,
    permissions: document.$permissions,
  };
}

export function withoutContent(post: PostSummary | Post): PostSummary {
  const { id, userId, createdAt, updatedAt, permissions } = post;
  return { id, ...listedValues(post), userId, createdAt, updatedAt, permissions };
}

const SUMMARY_FIELDS: string[] = ['$id', '$createdAt', '$updatedAt', '$permissions', ...LISTED_FIELD_NAMES, 'userId'];
const OPTIONAL: readonly string[] = OPTIONAL_FIELD_NAMES;
const UNKNOWN_FIELD = /Attribute not found in schema: (\w+)/;

/**
 * Requests the fields that lists need. A backend that was not provisioned after an upgrade lacks the newest optional
 * fields, so a second request omits them. `ask` may filter only by fields that it is given.
 */
export async function inSummary<Answer>(
  ask: (fields: string[]) => Promise<Answer>,
  fields: readonly string[] = SUMMARY_FIELDS,
): Promise<Answer> {
  try {
    return await ask([...fields]);
  } catch (error) {
    const [, unknown = ''] = UNKNOWN_FIELD.exec(faultOf(error).message) ?? [];
    const missing = OPTIONAL.slice(OPTIONAL.indexOf(unknown));
    if (!OPTIONAL.includes(unknown) || !fields.includes(unknown)) throw error;
    return inSummary(
      ask,
      fields.filter((name) => !missing.includes(name)),
    );
  }
}

const WORD_JOINER = '\u2060';
/** Matches strings that Appwrite would execute as an operator in an update instead of storing them (contract 2.3). */
const OPERATOR = /^\s*\{[\s\S]*"method"\s*:/;

/** Escapes strings in an update's data that look like operators. */
export const literal = <Values extends object>(values: Values): Values =>
  eachText(values, (text) => (OPERATOR.test(text) ? WORD_JOINER + text : text));

const withoutMark = <Values extends object>(values: Values): Values =>
  Object.values(values).flat().some(isMarked)
    ? eachText(values, (text) => (isMarked(text) ? text.slice(1) : text))
    : values;

const isMarked = (value: unknown): boolean =>
  typeof value === 'string' && value.startsWith(WORD_JOINER) && OPERATOR.test(value.slice(1));

const eachText = <Values extends object>(values: Values, change: (text: string) => string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (Array.isArray(value)) return [name, value.map((one) => (typeof one === 'string' ? change(one) : one))];
      return [name, typeof value === 'string' ? change(value) : value];
    }),
  ) as Values;

const ID_SIZE = 36;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
