/** Imports users with their password hashes (contract 2.2, 3). */
import type { Accounts } from '../account/accounts.ts';
import { isPasswordHash } from '../account/passwords/password.ts';
import { userJson } from '../account/user.ts';
import { emitUserChange } from '../account/user-events.ts';
import { AppwriteError } from '../http/errors.ts';
import { customId, email, optional, required, text, validator } from '../http/params.ts';
import { type Route, route } from '../http/route.ts';
import type { Kernel } from '../kernel.ts';

const OTHER_HASHES = ['bcrypt', 'md5', 'sha', 'phpass', 'scrypt', 'scrypt-modified'];

const passwordHash = validator(
  'Value must be an argon2 hash in PHC form ($argon2id$v=19$m=…,t=…,p=…$salt$hash)',
  (raw) => (typeof raw === 'string' && isPasswordHash(raw) ? raw : undefined),
);

export function importRoutes({ store, events }: Kernel, { users }: Accounts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/users/argon2',
      scope: 'users.write',
      params: {
        userId: required(customId()),
        email: required(email()),
        password: required(passwordHash),
        name: optional(text(128, { min: 0 }), ''),
      },
      async handle({ params: { userId, ...rest }, caller }) {
        const user = await store.write(() => users.insert({ id: userId, ...rest, again: true }));
        const body = userJson(user);
        emitUserChange(events, caller, { userId, action: 'create', payload: body });
        return { status: 201, body };
      },
    }),
    ...OTHER_HASHES.map((kind) =>
      route({
        method: 'POST',
        path: `/users/${kind}`,
        scope: 'users.write',
        params: {},
        handle(): never {
          throw new AppwriteError(
            'general_feature_unsupported',
            `This backend checks argon2 hashes only. Import such users without a password, or with an argon2 hash by POST /users/argon2; ${kind} is not taken.`,
          );
        },
      }),
    ),
  ];
}
