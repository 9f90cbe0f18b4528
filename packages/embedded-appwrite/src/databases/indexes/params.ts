import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { list, optional, range, required, text, uid, validator, whitelist } from '../../http/params.ts';
import { readEntry } from '../attributes/params.ts';
import type { IndexDefinition } from '../catalogue/model.ts';

const MOST = 100;

/** Accepts any letter case, because SDKs from version 27 on send lower case. */
const order = () =>
  validator('Value must be one of (ASC, DESC)', (raw) => {
    const upper = typeof raw === 'string' ? raw.toUpperCase() : '';
    return upper === 'ASC' || upper === 'DESC' ? upper : undefined;
  });

export const INDEX_PARAMS = {
  key: required(uid()),
  type: required(whitelist(['key', 'fulltext', 'unique', 'spatial'])),
  attributes: required(list(text(36), MOST)),
  orders: optional(list(order(), MOST), []),
  lengths: optional(list(range(0, Number.MAX_SAFE_INTEGER), MOST), []),
} as const;

/** Throws 501 for a type that only Appwrite supports. */
export function indexDefinition(
  input: Omit<IndexDefinition, 'type'> & { readonly type: IndexDefinition['type'] | 'spatial' },
): IndexDefinition {
  const { type } = input;
  if (type !== 'spatial') return { ...input, type };
  throw new AppwriteError('general_feature_unsupported', 'Spatial indexes are not supported by this backend.');
}

export function readInlineIndex(raw: Readonly<Record<string, unknown>>, caller: Caller): IndexDefinition {
  const given = { ...raw, attributes: raw.attributes ?? raw.columns };
  return indexDefinition(readEntry('indexes', INDEX_PARAMS, given, caller) as unknown as IndexDefinition);
}
