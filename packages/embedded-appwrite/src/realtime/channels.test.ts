import { expect, it } from 'vitest';
import { resolveChannel } from './channels.ts';

it.each([
  ['documents', 'ann', 'documents'],
  ['databases.d.collections.c.documents.x.update', undefined, 'databases.d.collections.c.documents.x.update'],
  ['', 'ann', ''],
  ['account', 'ann', 'account.ann'],
  ['account.update', 'ann', 'account.ann.update'],
  ['account.ann', 'ann', 'account.ann'],
  ['account.ann.update', 'ann', 'account.ann.update'],
  ['account.bob', 'ann', undefined],
  ['account.bob.update', 'ann', undefined],
  ['account.ann.x', 'ann', undefined],
  ['account.ann.update.x', 'ann', undefined],
  ['account.ann', undefined, undefined],
  ['account', undefined, 'account'],
  ['account.update', undefined, 'account.update'],
])('resolves %j for %s to %j', (name, user, channel) => expect(resolveChannel(name, user)).toBe(channel));
