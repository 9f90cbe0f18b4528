import type { IncomingMessage } from 'node:http';
import { AppwriteError } from '../../http/errors.ts';
import { object, optional, permissionList, required, text, uid, type Validator } from '../../http/params.ts';
import type { RateLimit } from '../../http/route.ts';
import { RESOURCE_ACTIONS } from '../../permissions.ts';
import { normaliseDate } from '../dates.ts';

export const COLLECTION_PARAMS = { databaseId: required(uid()), collectionId: required(uid()) };
export const permissions = optional(permissionList({ actions: RESOURCE_ACTIONS }), undefined);
export const data = optional(object(), {});
const anyText = text(256, { min: 0 });
/** Rejects a transaction id with 501 instead of ignoring it, because transactions are not supported. */
const noTransaction: Validator<''> = {
  description: anyText.description,
  read(raw, caller) {
    if (anyText.read(raw, caller) === '') return '';
    throw new AppwriteError('general_feature_unsupported', 'Transactions are not supported by this backend.');
  },
};

export const DOCUMENTS = '/databases/:databaseId/collections/:collectionId/documents';
export const DOCUMENT = `${DOCUMENTS}/:documentId` as const;
export const DOCUMENTS_PARAMS = { ...COLLECTION_PARAMS, transactionId: optional(noTransaction, '') };
export const DOCUMENT_PARAMS = { ...DOCUMENTS_PARAMS, documentId: required(uid()) };

/** Counts requests per method and user across all networks or, for guests, per method and network (contract 1.8). */
const byCaller: RateLimit['key'] = ({ ip, method, userId }) => `${method} ${userId || ip}`;

export const WRITE_LIMITS: readonly RateLimit[] = [{ limit: 120, window: 60, key: byCaller }];
export const DELETE_LIMITS: readonly RateLimit[] = [{ limit: 60, window: 60, key: byCaller }];

/** Returns the date in `X-Appwrite-Timestamp`; undefined if absent. Throws 400 if it is not a date. */
export function unmodifiedSince(request: IncomingMessage): string | undefined {
  const header = request.headers['x-appwrite-timestamp'];
  if (header === undefined || header === '') return undefined;
  const date = normaliseDate(String(header));
  if (date === undefined) {
    throw new AppwriteError('general_argument_invalid', 'Invalid X-Appwrite-Timestamp header value');
  }
  return date;
}
