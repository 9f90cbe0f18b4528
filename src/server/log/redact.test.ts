import { expect, test } from 'vitest';
import { redact } from './log.ts';

test.each([
  ['GET /search?q=my+illness failed.', 'GET /search?… failed.'],
  ['fetch https://a.example/recovery?userId=1&secret=abc failed', 'fetch https://a.example/recovery?… failed'],
  ['at file:///srv/a.mjs?x=1:20:3', 'at file:///srv/a.mjs?…'],
  ['refused for ada.lovelace+x@mail.example.com by mx', 'refused for …@… by mx'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: … …'],
  ['cookie: a_session_common-ink=eyJpZCI6; other', 'cookie: …; other'],
  ['{"password":"Correct-horse-1","name":"Ada"}', '{"password":"…","name":"Ada"}'],
])('%s', (text, left) => expect(redact(text)).toBe(left));

test.each([
  'connect ECONNREFUSED 127.0.0.1:587',
  'The pages of databases.blog.collections.articles.documents.ink.update could not be updated.',
  'Error: no\n    at start (file:///srv/common-ink/dist/server/entry.mjs:10:3)',
  'Is it there? Then restart the server.',
])('leaves what the operator needs: %s', (text) => expect(redact(text)).toBe(text));
