/** File tokens, for server keys (contract 2.7). */
import { randomBytes } from 'node:crypto';
import { listOf, QUERY_PARAMS } from '../../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../../databases/query/schema.ts';
import { AppwriteError } from '../../http/errors.ts';
import { optional, required, uid, validator } from '../../http/params.ts';
import { type Route, route } from '../../http/route.ts';
import { dateText, now, uniqueId } from '../../identifiers.ts';
import { openForReading } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { TOKEN_COLUMNS, TOKEN_TABLES, TOKENS, type TokenRecord, tokenFromRow, tokenModel } from './token.ts';

const SCHEMA: QuerySchema = {
  sequence: 't.sequence',
  fields: new Map([
    ...internalFields({ id: 't.id', sequence: 't.sequence', createdAt: 't.created_at', updatedAt: 't.updated_at' }),
    ['expire', { type: 'datetime', column: 't.expire' }],
  ]),
};

/** Accepts a future date and returns it in the contract's form. */
const FUTURE = validator('Value must be valid date in the future', (raw) => {
  const moment = typeof raw === 'string' && /^\d{4}-\d{2}-\d{2}/.test(raw) ? Date.parse(raw) : Number.NaN;
  return moment > Date.now() ? dateText(moment) : undefined;
});

export function tokenRoutes(service: StorageService): Route[] {
  const { store } = service.kernel;
  const ofFile = { bucketId: required(uid()), fileId: required(uid()) };
  const ofToken = { tokenId: required(uid()) };
  const filePath = '/tokens/buckets/:bucketId/files/:fileId';

  function findToken(id: string): TokenRecord {
    const row = store.prepare(`SELECT ${TOKEN_COLUMNS} FROM ${TOKEN_TABLES} WHERE t.id = ?`).get(id);
    if (!row) throw new AppwriteError('token_not_found');
    return tokenFromRow(row);
  }

  const createToken = route({
    method: 'POST',
    path: filePath,
    scope: 'tokens.write',
    params: { ...ofFile, expire: optional(FUTURE, null) },
    async handle({ params, caller }) {
      const id = uniqueId();
      await store.write(() => {
        const { file } = openForReading(store, caller, params.bucketId, params.fileId);
        const created = now();
        TOKENS.insert(store, {
          id,
          fileSequence: file.sequence,
          secret: randomBytes(64).toString('hex'),
          expire: params.expire,
          accessedAt: created,
          createdAt: created,
          updatedAt: created,
        });
      });
      return { status: 201, body: tokenModel(findToken(id)) };
    },
  });

  const listTokens = route({
    method: 'GET',
    path: filePath,
    scope: 'tokens.read',
    params: { ...ofFile, ...QUERY_PARAMS },
    handle({ params, caller }) {
      const { file } = openForReading(store, caller, params.bucketId, params.fileId);
      const scope = { sql: 't.file_sequence = ?', values: [file.sequence] };
      const source = { from: TOKEN_TABLES, columns: TOKEN_COLUMNS, schema: SCHEMA, noun: 'Token', scope };
      const { rows, total } = listOf(store, source, params);
      return { status: 200, body: { total, tokens: rows.map((row) => tokenModel(tokenFromRow(row))) } };
    },
  });

  const getToken = route({
    method: 'GET',
    path: '/tokens/:tokenId',
    scope: 'tokens.read',
    params: ofToken,
    handle: ({ params }) => ({ status: 200, body: tokenModel(findToken(params.tokenId)) }),
  });

  const changeToken = route({
    method: 'PATCH',
    path: '/tokens/:tokenId',
    scope: 'tokens.write',
    params: { ...ofToken, expire: optional(FUTURE, null) },
    async handle({ params }) {
      await store.write(() => {
        const { id } = findToken(params.tokenId);
        TOKENS.update(store, { id }, { expire: params.expire, updatedAt: now() });
      });
      return { status: 200, body: tokenModel(findToken(params.tokenId)) };
    },
  });

  const deleteToken = route({
    method: 'DELETE',
    path: '/tokens/:tokenId',
    scope: 'tokens.write',
    params: ofToken,
    async handle({ params }) {
      await store.writeThoughFull(() => {
        const { id } = findToken(params.tokenId);
        TOKENS.delete(store, { id });
      });
      return { status: 204 };
    },
  });

  return [createToken, listTokens, getToken, changeToken, deleteToken];
}
