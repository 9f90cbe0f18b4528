/** Commits a sync's changes in a git work tree: one commit per post, authored by the post's author. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { WholeSite } from '#backend/server-key/whole-site.ts';
import { OperatorError } from '#blog/errors.ts';
import type { SyncResult } from './sync-pair.ts';

const run = promisify(execFile);

/** Returns a function that commits a sync result's files. @throws OperatorError if git or the work tree is missing */
export async function openCommits(directory: string, whole: Pick<WholeSite, 'accounts'>) {
  const git = (...args: string[]) => run('git', ['-C', directory, ...args]);
  await git('rev-parse', '--is-inside-work-tree').catch((error: Error) => {
    throw new OperatorError(`--commit needs a folder in a git work tree: ${error.message.trim().split('\n').at(-1)}`);
  });
  const accounts = new Map((await whole.accounts()).map((account) => [account.id, account]));
  return async ({ path, action, written }: SyncResult): Promise<void> => {
    if (!written) return;
    const { name = 'Common Ink', email = '' } = accounts.get(written.userId) ?? {};
    const author = ['-c', `user.name=${name}`, '-c', `user.email=${email || 'blog@localhost'}`];
    const message = `${MESSAGES[action] ?? 'Sync'} ${path}`;
    await git('add', '--all', '--', ...written.paths);
    await git(...author, 'commit', '--quiet', '--message', message, '--', ...written.paths);
  };
}

const MESSAGES: Partial<Record<SyncResult['action'], string>> = {
  'file created': 'Add',
  'file updated': 'Update',
  'file removed': 'Remove',
  merged: 'Merge changes into',
  conflict: 'Mark a conflict in',
};
