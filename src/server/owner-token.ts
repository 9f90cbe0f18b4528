/** Creates the one-time link that makes a user the site's first owner. The data folder stores only its hash. */
import { hash, randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isSameSecret } from '#api/callers.ts';
import type { OwnerToken, PublishingLocals } from '#api/locals.ts';
import { faultOf } from '#blog/errors.ts';
import { claimPath } from '#blog/routes/paths.ts';
import type { Configuration } from './configuration.ts';
import { log, say } from './log/log.ts';

const TTL_MS = 24 * 3_600_000;
const TOKEN_BYTES = 32;

const stored = z.object({ hash: z.string(), until: z.number() });

const fileIn = (dataDirectory: string): string => join(dataDirectory, 'owner-token.json');

const hashOf = (token: string): string => hash('sha256', token);

/** Reads the data folder's token on each call, because instances may share the folder. */
export function openOwnerToken(dataDirectory: string): OwnerToken {
  const file = fileIn(dataDirectory);
  return {
    isRight(token) {
      const known = read(file);
      return known !== undefined && known.until > Date.now() && isSameSecret(hashOf(token), known.hash);
    },
    spend: () => rmSync(file, { force: true }),
  };
}

function newToken(dataDirectory: string): string {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const content = JSON.stringify({ hash: hashOf(token), until: Date.now() + TTL_MS });
  writeFileSync(fileIn(dataDirectory), content, { mode: 0o600 });
  return token;
}

export async function offerOwnership(
  { dataDirectory, siteUrl }: Pick<Configuration, 'dataDirectory' | 'siteUrl'>,
  { people }: Pick<PublishingLocals, 'people'>,
): Promise<void> {
  if (!people) return;
  try {
    if (await people.hasOwner()) return;
    say(
      'info',
      `This site has no owner yet. To become its owner, open this link within 24 hours: ${siteUrl}${claimPath(newToken(dataDirectory))}`,
    );
  } catch (error) {
    log('info', `Could not find out whether this site has an owner: ${faultOf(error).message || error}`);
  }
}

function read(file: string): z.infer<typeof stored> | undefined {
  try {
    return stored.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
