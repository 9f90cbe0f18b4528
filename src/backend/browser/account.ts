import type { Models } from 'appwrite';
import type { EmailForm, NameForm, PasswordForm } from '#blog/forms/account-forms.ts';
import type { User } from '#blog/user.ts';
import { unless } from '../unless.ts';
import { connect, logged } from './client.ts';
import { userOf } from './session.ts';

export interface OwnSession {
  readonly id: string;
  readonly isCurrent: boolean;
  /** `browser`, `system` and `country` (such as `Firefox`, `GNU/Linux` and `France`) are empty if unknown. */
  readonly browser: string;
  readonly system: string;
  readonly country: string;
  readonly address: string;
  readonly since: string;
}

export const changeName = ({ name }: NameForm): Promise<User> =>
  logged('changeName', async () => userOf(await connect().account.updateName({ name })));

/** Changes the email address, which becomes unverified, and returns the user. @throws the SDK's error */
export const changeEmail = (form: EmailForm): Promise<User> =>
  logged('changeEmail', async () => userOf(await connect().account.updateEmail(form)));

/** Changes the password and ends all the user's other sessions. @throws the SDK's error */
export const changePassword = ({ password, oldPassword }: PasswordForm): Promise<void> =>
  logged('changePassword', async () => {
    await connect().account.updatePassword({ password, oldPassword });
    // Appwrite does this by itself only if the project is configured to end sessions on a password change.
    await endOthers();
  });

export const ownSessions = (): Promise<OwnSession[]> =>
  logged('ownSessions', async () => {
    const { sessions } = await connect().account.listSessions();
    return sessions.map(sessionOf).toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || later(a, b));
  });

/** Ends one of the user's sessions. Also succeeds if that session has already ended. */
export const endSession = (sessionId: string): Promise<void> =>
  logged('endSession', async () => {
    await unless('user_session_not_found', connect().account.deleteSession({ sessionId }));
  });

export const endOtherSessions = (): Promise<void> => logged('endOtherSessions', endOthers);

async function endOthers(): Promise<void> {
  const { account } = connect();
  const { sessions } = await account.listSessions();
  const others = sessions.filter(({ current }) => !current);
  await Promise.all(others.map(({ $id }) => account.deleteSession({ sessionId: $id })));
}

const later = (a: OwnSession, b: OwnSession): number => Date.parse(b.since) - Date.parse(a.since);

/** Leaves `country` empty for the code `--`, which the backend returns if it has no GeoIP database. */
const sessionOf = (session: Models.Session): OwnSession => ({
  id: session.$id,
  isCurrent: session.current,
  browser: session.clientName,
  system: session.osName,
  country: session.countryCode === '--' ? '' : session.countryName,
  address: session.ip,
  since: session.$createdAt,
});
