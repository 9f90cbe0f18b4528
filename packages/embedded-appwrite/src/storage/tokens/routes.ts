import { randomBytes } from 'node:crypto';
import { listAnswer, QUERY_PARAMS } from '../../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../../databases/query/schema.ts';
import { AppwriteError } from '../../http/errors.ts';
import { optional, required, uid, validator } from '../../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route } from '../../http/route.ts';
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

const FUTURE = validator('Value must be valid date in the future', (raw) => {
  const moment = typeof raw === 'string' && /^\d{4}-\d{2}-\d{2}/.test(raw) ? Date.parse(raw) : Number.NaN;
  return moment > Date.now() ? dateText(moment) : undefined;
});

export function tokenRoutes(service: StorageService): Route[] {
  const { store } = service.kernel;
  const ofFile = { bucketId: required(uid()), fileId: required(uid()) };
  const ofToken = { tokenId: required(uid()) };
  const expire = optional(FUTURE, null);
  const filePath = '/tokens/buckets/:bucketId/files/:fileId';

  function findToken(id: string): TokenRecord {
    const row = store.prepare(`SELECT ${TOKEN_COLUMNS} FROM ${TOKEN_TABLES} WHERE t.id = ?`).get(id);
    if (!row) throw new AppwriteError('token_not_found');
    return tokenFromRow(row);
  }

  return [
    endpoint(`POST ${filePath}`, 'tokens.write', { ...ofFile, expire }, async ({ params, caller }) => {
      const id = uniqueId();
      await store.write(() => {
        const { file } = openForReading(store, caller, params.bucketId, params.fileId);
        const moment = now();
        const times = { expire: params.expire, accessedAt: moment, createdAt: moment, updatedAt: moment };
        TOKENS.insert(store, { id, fileSequence: file.sequence, secret: randomBytes(64).toString('hex'), ...times });
      });
      return created(tokenModel(findToken(id)));
    }),
    endpoint(`GET ${filePath}`, 'tokens.read', { ...ofFile, ...QUERY_PARAMS }, ({ params, caller }) => {
      const { file } = openForReading(store, caller, params.bucketId, params.fileId);
      const scope = { sql: 't.file_sequence = ?', values: [file.sequence] };
      const source = { from: TOKEN_TABLES, columns: TOKEN_COLUMNS, schema: SCHEMA, noun: 'Token', scope };
      return listAnswer(store, source, params, 'tokens', (row) => tokenModel(tokenFromRow(row)));
    }),
    endpoint('GET /tokens/:tokenId', 'tokens.read', ofToken, ({ params }) => ok(tokenModel(findToken(params.tokenId)))),
    endpoint('PATCH /tokens/:tokenId', 'tokens.write', { ...ofToken, expire }, async ({ params }) => {
      await store.write(() => {
        const { id } = findToken(params.tokenId);
        TOKENS.update(store, { id }, { expire: params.expire, updatedAt: now() });
      });
      return ok(tokenModel(findToken(params.tokenId)));
    }),
    endpoint('DELETE /tokens/:tokenId', 'tokens.write', ofToken, async ({ params }) => {
      await store.writeThoughFull(() => TOKENS.delete(store, { id: findToken(params.tokenId).id }));
      return NO_CONTENT;
    }),
  ];
}
