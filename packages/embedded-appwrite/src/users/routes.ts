/** The users service, for server keys (contract 2.2). */
import type { Accounts } from '../account/accounts.ts';
import { PREFS_BODY, password, phone, preferences } from '../account/params.ts';
import { flowOf } from '../account/passwords/password-queue.ts';
import { accountJson, type UserRecord, userJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import type { UserChanges } from '../account/user-records.ts';
import type { Caller } from '../caller.ts';
import { AppwriteError, type ErrorType } from '../http/errors.ts';
import { boolean, customId, email, list, optional, required, text, uid, validator } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import { now } from '../identifiers.ts';
import type { Kernel } from '../kernel.ts';
import type { Store } from '../sqlite/store.ts';
import { importRoutes } from './import-routes.ts';
import { listRoute } from './list.ts';
import { userSessionRoutes } from './session-routes.ts';

const NAME_LENGTH = 128;
const MOST_LABELS = 1000;

const label = validator(
  'Value must be a valid string and at least 1 chars and no longer than 36 chars and only consist of a-z, A-Z, 0-9',
  (raw) => (typeof raw === 'string' && /^[A-Za-z0-9]{1,36}$/.test(raw) ? raw : undefined),
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

  /** Uses `accountJson`, which has no hash: the user's own sockets receive this event. */
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

  const ok = (user: UserRecord) => ({ status: 200, body: userJson(user) });

  const createUser = route({
    method: 'POST',
    path: '/users',
    scope: 'users.write',
    params: {
      userId: required(customId()),
      email: optional(email({ allowEmpty: true }), ''),
      phone: optional(phone({ allowEmpty: true }), ''),
      password: optional(password(passwordMinimum, { allowEmpty: true }), ''),
      name: optional(text(NAME_LENGTH, { min: 0 }), ''),
    },
    async handle(context) {
      const { userId: id, ...rest } = context.params;
      const { caller } = context;
      if (users.byId(id)) throw new AppwriteError('user_already_exists');
      const hash = rest.password === '' ? '' : await passwords.hash(rest.password, flowOf(context));
      const user = await store.write(() => users.insert({ ...rest, id, password: hash, again: true }));
      emit(caller, user, 'create');
      return { status: 201, body: userJson(user) };
    },
  });

  const getUser = route({
    method: 'GET',
    path: '/users/:userId',
    scope: 'users.read',
    params: { userId },
    handle: ({ params }) => ok(users.require(params.userId)),
  });

  const deleteUser = route({
    method: 'DELETE',
    path: '/users/:userId',
    scope: 'users.write',
    params: { userId },
    async handle({ params, caller }) {
      const user = users.require(params.userId);
      await store.writeThoughFull(() => users.remove(user.id));
      emit(caller, user, 'delete');
      return { status: 204 };
    },
  });

  const updateStatus = route({
    method: 'PATCH',
    path: '/users/:userId/status',
    scope: 'users.write',
    whenFull: true,
    params: { userId, status: required(boolean()) },
    async handle({ params: { userId: id, status }, caller }) {
      // Ends the tokens on unblocking: while blocked, a valid one answers 403 (contract, part 2, 4).
      const besides = (): void => {
        if (status) tokens.removeEvery(id);
      };
      // Works on a full disk: a user is blocked before they are deleted.
      return ok(await change(caller, id, 'status', { status }, { besides, write: store.writeThoughFull }));
    },
  });

  const updateLabels = route({
    method: 'PUT',
    path: '/users/:userId/labels',
    scope: 'users.write',
    params: { userId, labels: required(list(label, MOST_LABELS)) },
    async handle({ params, caller }) {
      return ok(await change(caller, params.userId, 'labels', { labels: [...new Set(params.labels)] }));
    },
  });

  const updateName = route({
    method: 'PATCH',
    path: '/users/:userId/name',
    scope: 'users.write',
    params: { userId, name: required(text(NAME_LENGTH, { min: 0 })) },
    handle: async ({ params, caller }) => ok(await change(caller, params.userId, 'name', { name: params.name })),
  });

  const updateEmail = route({
    method: 'PATCH',
    path: '/users/:userId/email',
    scope: 'users.write',
    params: { userId, email: required(email({ allowEmpty: true })) },
    async handle({ params, caller }) {
      const changes = { email: params.email, emailVerification: false };
      const besides = ({ id }: UserRecord) => tokens.removeMailed(id);
      const conflict = 'user_email_already_exists';
      return ok(await change(caller, params.userId, 'email', changes, { conflict, besides }));
    },
  });

  const updatePhone = route({
    method: 'PATCH',
    path: '/users/:userId/phone',
    scope: 'users.write',
    params: { userId, number: required(phone({ allowEmpty: true })) },
    async handle({ params, caller }) {
      const changes = { phone: params.number, phoneVerification: false };
      return ok(await change(caller, params.userId, 'phone', changes, { conflict: 'user_phone_already_exists' }));
    },
  });

  const updatePassword = route({
    method: 'PATCH',
    path: '/users/:userId/password',
    scope: 'users.write',
    params: { userId, password: required(password(passwordMinimum, { allowEmpty: true })) },
    async handle(context) {
      const { params, caller } = context;
      const { id } = users.require(params.userId);
      const hash = params.password === '' ? '' : await passwords.hash(params.password, flowOf(context));
      const changes = { password: hash, passwordUpdate: now() };
      const besides = (): void => {
        signOut(id);
      };
      return ok(await change(caller, id, 'password', changes, { besides }));
    },
  });

  const updateEmailVerification = route({
    method: 'PATCH',
    path: '/users/:userId/verification',
    scope: 'users.write',
    params: { userId, emailVerification: required(boolean()) },
    async handle({ params: { userId: id, emailVerification }, caller }) {
      return ok(await change(caller, id, 'verification', { emailVerification }));
    },
  });

  const updatePhoneVerification = route({
    method: 'PATCH',
    path: '/users/:userId/verification/phone',
    scope: 'users.write',
    params: { userId, phoneVerification: required(boolean()) },
    async handle({ params: { userId: id, phoneVerification }, caller }) {
      return ok(await change(caller, id, 'verification', { phoneVerification }));
    },
  });

  const getPrefs = route({
    method: 'GET',
    path: '/users/:userId/prefs',
    scope: 'users.read',
    params: { userId },
    handle: ({ params }) => ({ status: 200, body: users.require(params.userId).prefs }),
  });

  const updatePrefs = route({
    method: 'PATCH',
    path: '/users/:userId/prefs',
    scope: 'users.write',
    largestBody: PREFS_BODY,
    params: { userId, prefs: required(preferences()) },
    async handle({ params, caller }) {
      const user = await change(caller, params.userId, 'prefs', { prefs: params.prefs });
      return { status: 200, body: user.prefs };
    },
  });

  return [
    listRoute(kernel),
    createUser,
    getUser,
    deleteUser,
    updateStatus,
    updateLabels,
    updateName,
    updateEmail,
    updatePhone,
    updatePassword,
    updateEmailVerification,
    updatePhoneVerification,
    getPrefs,
    updatePrefs,
    ...importRoutes(kernel, accounts),
    ...userSessionRoutes(kernel, accounts),
  ];
}
