import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../../http/errors.ts';
import { list, optional, ParamFault, range, required, text, uid, validator, whitelist } from '../../http/params.ts';
import type { Param } from '../../http/route.ts';
import type { IndexDefinition, IndexType } from '../catalogue/model.ts';

const MOST = 100;

/** Accepts any case; SDKs from 27 on send lower case. */
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
  input: Omit<IndexDefinition, 'type'> & { readonly type: IndexType | 'spatial' },
): IndexDefinition {
  const { type } = input;
  if (type !== 'spatial') return { ...input, type };
  throw new AppwriteError('general_feature_unsupported', 'Spatial indexes are not supported by this backend.');
}

function fault(text: string): AppwriteError {
  return new AppwriteError('general_argument_invalid', `Invalid \`indexes\` param: ${text}`);
}

/** Reads one entry of a new collection's `indexes`. Throws 400 naming the invalid parameter. */
export function readInlineIndex(raw: Readonly<Record<string, unknown>>, caller: Caller): IndexDefinition {
  const read: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(INDEX_PARAMS as Record<string, Param<unknown>>)) {
    const given = raw[name] ?? (name === 'attributes' ? raw.columns : undefined);
    if (given === undefined || given === null) {
      if (param.required) throw fault(`Param "${name}" of an index is not optional.`);
      read[name] = param.fallback;
      continue;
    }
    try {
      read[name] = param.read(given, caller);
    } catch (error) {
      throw error instanceof ParamFault ? fault(`\`${name}\`: ${error.message}`) : error;
    }
  }
  return indexDefinition(read as unknown as IndexDefinition);
}
