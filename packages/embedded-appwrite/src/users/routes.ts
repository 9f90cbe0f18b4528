/** The users service, which requires a server key (contract 2.2). */
import type { Accounts } from '../account/accounts.ts';
import { PREFS_BODY, password, phone, preferences } from '../account/params.ts';
import { isPasswordHash } from '../account/passwords/password.ts';
import { flowOf } from '../account/passwords/password-queue.ts';
import { accountJson, USERS, type UserRecord, userJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import type { UserChanges } from '../account/user-records.ts';
import type { Caller } from '../caller.ts';
import { LIST_PARAMS, listAnswer } from '../databases/query/listing.ts';
import { internalFields, type QuerySchema } from '../databases/query/schema.ts';
import { searchCondition } from '../databases/search.ts';
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import {
  boolean,
  customId,
  email,
  list,
  optional,
  required,
  text,
  uid,
  type Validator,
  validator,
} from '../http/params.ts';
import { created, endpoint, NO_CONTENT, ok, type Route, route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import type { Store } from '../sqlite/store.ts';
import { userSessionRoutes } from './session-routes.ts';

const NAME = text(128, { min: 0 });
const MOST_LABELS = 1000;
const OTHER_HASHES = ['bcrypt', 'md5', 'sha', 'phpass', 'scrypt', 'scrypt-modified'];

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

const label = validator(
  'Value must be a valid string and at least 1 chars and no longer than 36 chars and only consist of a-z, A-Z, 0-9',
  (raw) => (typeof raw === 'string' && /^[A-Za-z0-9]{1,36}$/.test(raw) ? raw : undefined),
);

const passwordHash = validator(
  'Value must be an argon2 hash in PHC form ($argon2id$v=19$m=…,t=…,p=…$salt$hash)',
  (raw) => (typeof raw === 'string' && isPasswordHash(raw) ? raw : undefined),
);

interface ChangeOptions {
  readonly conflict?: ErrorType;
  readonly besides?: (user: UserRecord) => void;
  readonly write?: Store['write'];
}

export function usersRoutes(kernel: Kernel, accounts: Accounts): Route[] {
  const { store, events } = kernel;
  const { users, tokens, signOut, passwords, passwordMinimum } = accounts;
  const userId = required(uid());
  const anyPassword = password(passwordMinimum, { allowEmpty: true });
  const anyEmail = email({ allowEmpty: true });
  const anyPhone = phone({ allowEmpty: true });

  /** Emits `accountJson`, which lacks the password hash, because the user's own sockets receive this event. */
  function emit(caller: Caller, user: UserRecord, action: string): void {
    const payload = action === 'update.prefs' ? user.prefs : accountJson(user);
    emitUserChange(events, caller, { userId: user.id, action, payload });
  }

  async function change(
    caller: Caller,
    id: string,
    field: string,
    changes: UserChanges,
    { conflict, besides, write = store.write }: ChangeOptions = {},
  ): Promise<UserRecord> {
    const user = await write(() => {
      const changed = users.change(id, changes, conflict);
      besides?.(changed);
      return changed;
    });
    emit(caller, user, `update.${field}`);
    return user;
  }

  function fieldRoute<T>(
    address: `${'PATCH' | 'PUT'} ${string}`,
    param: string,
    value: Validator<T>,
    changes: (given: T) => UserChanges,
    options?: ChangeOptions,
  ): Route {
    const [method, path = ''] = address.split(' ');
    return endpoint(
      `${method as 'PATCH' | 'PUT'} /users/:userId/${path}`,
      'users.write',
      { userId, [param]: required(value) },
      async ({ params, caller }) => {
        const given = (params as Record<string, unknown>)[param] as T;
        return ok(userJson(await change(caller, params.userId, path.split('/')[0] as string, changes(given), options)));
      },
    );
  }

  return [
    endpoint('GET /users', 'users.read', LIST_PARAMS, ({ params: { search, ...params } }) => {
      const scope = searchCondition(search, ['id', 'name', 'email', 'phone']);
      const source = { from: 'users', columns: '*', schema: SCHEMA, scope, noun: 'User' };
      return listAnswer(store, source, params, 'users', (row) => userJson(USERS.fromRow(row)));
    }),
    route({
      method: 'POST',
      path: '/users',
      scope: 'users.write',
      params: {
        userId: required(customId()),
        email: optional(anyEmail, ''),
        phone: optional(anyPhone, ''),
        password: optional(anyPassword, ''),
        name: optional(NAME, ''),
      },
      async handle(context) {
        const { userId: id, ...rest } = context.params;
        if (users.byId(id)) throw new AppwriteError('user_already_exists');
        const hash = rest.password === '' ? '' : await passwords.hash(rest.password, flowOf(context));
        const user = await store.write(() => users.insert({ ...rest, id, password: hash }, { again: true }));
        emit(context.caller, user, 'create');
        return created(userJson(user));
      },
    }),
    endpoint('GET /users/:userId', 'users.read', { userId }, ({ params }) =>
      ok(userJson(users.require(params.userId))),
    ),
    endpoint('DELETE /users/:userId', 'users.write', { userId }, async ({ params, caller }) => {
      const user = users.require(params.userId);
      await store.writeThoughFull(() => users.remove(user.id));
      emit(caller, user, 'delete');
      return NO_CONTENT;
    }),
    route({
      method: 'PATCH',
      path: '/users/:userId/status',
      scope: 'users.write',
      whenFull: true,
      params: { userId, status: required(boolean()) },
      async handle({ params: { userId: id, status }, caller }) {
        // Unblocking a user revokes the user's tokens. Blocking leaves them in place, because a request with a valid
        // token of a blocked user must get 403 (contract part 2, section 4).
        const besides = (): void => {
          if (status) tokens.removeEvery(id);
        };
        // Works on a full disk, because clients block a user before deleting the user, and deletion frees space.
        return ok(userJson(await change(caller, id, 'status', { status }, { besides, write: store.writeThoughFull })));
      },
    }),
    fieldRoute('PUT labels', 'labels', list(label, MOST_LABELS), (labels) => ({ labels: [...new Set(labels)] })),
    fieldRoute('PATCH name', 'name', NAME, (name) => ({ name })),
    fieldRoute('PATCH email', 'email', anyEmail, (email) => ({ email, emailVerification: false }), {
      conflict: 'user_email_already_exists',
      besides: ({ id }) => tokens.removeMailed(id),
    }),
    fieldRoute('PATCH phone', 'number', anyPhone, (phone) => ({ phone, phoneVerification: false }), {
      conflict: 'user_phone_already_exists',
    }),
    endpoint(
      'PATCH /users/:userId/password',
      'users.write',
      { userId, password: required(anyPassword) },
      async (context) => {
        const { params, caller } = context;
        const { id } = users.require(params.userId);
        const hash = params.password === '' ? '' : await passwords.hash(params.password, flowOf(context));
        const besides = (): void => signOut(id);
        return ok(
          userJson(await change(caller, id, 'password', { password: hash, passwordUpdate: now() }, { besides })),
        );
      },
    ),
    fieldRoute('PATCH verification', 'emailVerification', boolean(), (emailVerification) => ({ emailVerification })),
    fieldRoute('PATCH verification/phone', 'phoneVerification', boolean(), (phoneVerification) => ({
      phoneVerification,
    })),
    endpoint('GET /users/:userId/prefs', 'users.read', { userId }, ({ params }) =>
      ok(users.require(params.userId).prefs),
    ),
    route({
      method: 'PATCH',
      path: '/users/:userId/prefs',
      scope: 'users.write',
      largestBody: PREFS_BODY,
      params: { userId, prefs: required(preferences()) },
      handle: async ({ params, caller }) =>
        ok((await change(caller, params.userId, 'prefs', { prefs: params.prefs })).prefs),
    }),
    route({
      method: 'POST',
      path: '/users/argon2',
      scope: 'users.write',
      params: {
        userId: required(customId()),
        email: required(email()),
        password: required(passwordHash),
        name: optional(NAME, ''),
      },
      async handle({ params: { userId: id, ...rest }, caller }) {
        const user = await store.write(() => users.insert({ id, ...rest }, { again: true }));
        emit(caller, user, 'create');
        return created(userJson(user));
      },
    }),
    ...OTHER_HASHES.map((kind) =>
      endpoint(`POST /users/${kind}`, 'users.write', {}, () => {
        throw new AppwriteError(
          'general_feature_unsupported',
          `This backend checks argon2 hashes only. Import such users without a password, or with an argon2 hash by POST /users/argon2; ${kind} is not taken.`,
        );
      }),
    ),
    ...userSessionRoutes(kernel, accounts),
  ];
}
