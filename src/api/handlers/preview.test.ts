import { expect, test } from 'vitest';
import { CONTENT_MAX } from '#blog/forms/forms.ts';
import { apiContext, apiSite, postRequest } from '../../../tests/support/api.ts';
import { admit } from '../answer.ts';

const publishing = apiSite();
const POST = { title: 'T', content: '<p>x</p>', featuredImage: '' };

const ask = async (sent: unknown, headers: Record<string, string> = { cookie: 'user=ann' }) => {
  const call = await admit(apiContext(postRequest('/api/preview', sent, headers), publishing));
  return call instanceof Response ? call : { post: call.body, userId: call.userId };
};
const refused = async (answer: ReturnType<typeof ask>) => {
  const response = await answer;
  if (!(response instanceof Response)) throw new Error('It was not refused.');
  expect(response.headers.get('cache-control')).toBe('no-store');
  return [response.status, ((await response.json()) as { error: string }).error] as const;
};

test('a signed-in writer’s text is taken as it stands, valid or not', async () => {
  expect(await ask(POST)).toEqual({ post: POST, userId: 'ann' });
  const existing = { slug: 'a-post', createdAt: '2026-11-21T12:00:00.000+00:00' };
  const post = { ...POST, title: '', existing };
  expect(await ask(post)).toEqual({ post, userId: 'ann' });
});

test('guests and other sites are refused', async () => {
  expect(await refused(ask(POST, {}))).toEqual([401, 'Sign in to see a preview.']);
  expect((await refused(ask(POST, { cookie: 'user=ann', origin: 'https://evil.example' })))[0]).toBe(403);
});

test.each([
  ['a text that could not be stored', { content: 'x'.repeat(CONTENT_MAX + 1) }, /content/],
  ['a picture whose id is none', { featuredImage: '../x' }, /featuredImage/],
  ['a slug that is none', { existing: { slug: '../x', createdAt: '2026-11-21T12:00:00.000Z' } }, /existing\.slug/],
  ['a date that is none', { existing: { slug: 'x', createdAt: '<script>' } }, /existing\.createdAt/],
])('%s is refused, by name', async (_what, part, name) => {
  const [status, message] = await refused(ask({ ...POST, ...part }));
  expect(status).toBe(400);
  expect(message).toMatch(name);
});

const nested = (depth: number) => `{"title":${'['.repeat(depth)}1${']'.repeat(depth)}}`;
const listed = (values: number) => `{"title":[${'1,'.repeat(values)}1]}`;

test.each([
  ['deep', nested(15), nested(16)],
  ['in many pieces', listed(9_997), listed(9_999)],
])('a body that is %s is refused before it is parsed', async (_what, within, beyond) => {
  expect((await refused(ask(within)))[1]).toContain('Send { title');
  expect(await refused(ask(beyond))).toEqual([400, 'The body is nested too deeply, or holds too many values.']);
});
