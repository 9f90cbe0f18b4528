import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sharedFolder } from '../../tests/support/folder.ts';
import { faultOfTarget } from './target.ts';

const root = sharedFolder();
const at = (path: string) => join(root, path);
for (const folder of ['project/data/backend', 'project/dist', 'www']) mkdirSync(at(folder), { recursive: true });
writeFileSync(at('file'), '');
symlinkSync(at('project/data'), at('link'));
symlinkSync(at('www'), at('good-link'));

const own = { dataDirectory: at('project/data'), pages: at('project/data/pages'), project: at('project') };
const fault = (directory: string) => faultOfTarget(at(directory), own);

test.each(['www', 'www/new/deeper', 'good-link', 'project/out', 'project/data/out', 'project/data-out'])(
  'an export may go to %s',
  (directory) => expect(fault(directory)).toBeUndefined(),
);

test.each([
  ['file', /is a file/],
  ['file/below', /is a file/],
  ['project/data', /would give away the database/],
  ['project', /would give away the database/],
  ['link', /would give away the database/],
  ['.', /would give away the database/],
  ['link/backend/new', /by itself/],
  ['project/data/pages/public', /by itself/],
  ['project/dist/www', /by itself/],
])('an export may not go to %s', (directory, sentence) => expect(fault(directory)).toMatch(sentence));
