/** Lists users: queries on their fields, and a search over id, name, e-mail and phone. */
import { USERS, userJson } from '../account/user.ts';
import { listRows } from '../databases/query/list.ts';
import { parseQueries } from '../databases/query/parse.ts';
import { internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { searchCondition } from '../databases/search.ts';
import { boolean, optional, queries, text } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ...internalFields({ id: 'id', sequence: 'sequence', createdAt: 'created_at', updatedAt: 'updated_at' }),
    ['name', { type: 'string', column: 'name' }],
    ['email', { type: 'string', column: 'email' }],
    ['phone', { type: 'string', column: 'phone' }],
    ['status', { type: 'boolean', column: 'status' }],
    ['passwordUpdate', { type: 'datetime', column: 'password_update' }],
    ['registration', { type: 'datetime', column: 'registration' }],
    ['emailVerification', { type: 'boolean', column: 'email_verification' }],
    ['phoneVerification', { type: 'boolean', column: 'phone_verification' }],
    ['labels', { type: 'string', column: 'labels', array: true }],
    ['accessedAt', { type: 'datetime', column: 'accessed_at' }],
  ]),
};

export function listRoute({ store }: Kernel): Route {
  return route({
    method: 'GET',
    path: '/users',
    scope: 'users.read',
    params: {
      queries: optional(queries(), []),
      search: optional(text(256, { min: 0 }), ''),
      total: optional(boolean(), true),
    },
    handle({ params }) {
      const query = parseQueries(params.queries, SCHEMA, { errorType: 'general_argument_invalid' });
      const scope = searchCondition(params.search, ['id', 'name', 'email', 'phone']);
      const source = { from: 'users', columns: '*', schema: SCHEMA, scope, noun: 'User' };
      const { rows, total } = listRows(store, source, query, params.total);
      return { status: 200, body: { total, users: rows.map((row) => userJson(USERS.fromRow(row))) } };
    },
  });
}
