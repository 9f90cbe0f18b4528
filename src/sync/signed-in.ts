/** Signs a writer in to another site, and stores the session for later runs. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type OwnPosts, ownPosts } from '#backend/session/own-posts.ts';
import { signIn } from '#backend/session/sign-in.ts';
import { faultOf } from '#blog/errors.ts';
import type { Site } from '#blog/site.ts';

export interface SignedInOptions {
  /** Base URL of the site. */
  readonly address: string;
  readonly site: Site;
  /** The account's email address. If it is missing and no stored session is valid, the user is asked for it. */
  readonly email?: string | undefined;
  /** Path of the file in which sessions are stored. */
  readonly file: string;
  /** Asks the user a question. `secret` hides the typed answer. */
  readonly ask: (question: string, options?: { readonly secret: boolean }) => Promise<string>;
}

/** Session secrets, keyed by the site's origin. */
const sessionsFile = z.record(z.string(), z.string());

/**
 * Signs the writer in unless a stored session is still valid. Returns functions that access the writer's own posts.
 * @throws the SDK's error, such as 401 for a wrong password
 */
export async function signedIn({ address, site, email, file, ask }: SignedInOptions): Promise<OwnPosts> {
  const { origin } = new URL(address);
  const target = { ...site, endpoint: new URL(site.endpoint, address).href };
  const sessions = sessionsFile.catch({}).parse(JSON.parse(await readFile(file, 'utf8').catch(() => '{}')));
  const session = sessions[origin];
  const kept = session && (await ownPosts({ ...target, session }, origin).catch(unlessEnded));
  if (kept && (!email || kept.user.email === email.trim().toLowerCase())) return kept;
  const fresh = await signIn({
    ...target,
    email: email ?? (await ask('Email: ')),
    password: await ask('Password: ', { secret: true }),
    askCode: () => ask('Code from your authenticator app: '),
  });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...sessions, [origin]: fresh }, null, 1)}\n`, { mode: 0o600 });
  return ownPosts({ ...target, session: fresh }, origin);
}

function unlessEnded(error: unknown): undefined {
  if (faultOf(error).code !== 401) throw error;
}
