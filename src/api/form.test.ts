import { expect, it } from 'vitest';
import { requestOfForm } from './form.ts';

const URL = 'https://blog.example/api/subscription?token=a';
const fieldsOf = async (body: BodyInit, type?: string) => {
  const headers = type && { headers: { 'content-type': type } };
  const request = await requestOfForm(new Request(URL, { method: 'POST', body, ...headers }));
  return [request.url, await request.json(), request.headers.get('x-appwrite-jwt')];
};

it('reads a form of a page, and the token that a form cannot send as a header', async () => {
  const form = new URLSearchParams({ email: 'ann+ink@example.com', jwt: 'abc' });
  expect(await fieldsOf(form)).toEqual([URL, { email: 'ann+ink@example.com' }, 'abc']);
});

it('reads a mail provider’s request in both forms of RFC 8058', async () => {
  const expected = [URL, { 'List-Unsubscribe': 'One-Click' }, null];
  expect(await fieldsOf('List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded')).toEqual(expected);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  form.set('file', new Blob(['x']));
  expect(await fieldsOf(form)).toEqual(expected);
});

it('refuses a form that is too large or malformed', async () => {
  await expect(fieldsOf(new URLSearchParams({ email: 'a'.repeat(5000) }))).rejects.toMatchObject({ code: 413 });
  await expect(fieldsOf('x', 'multipart/form-data; boundary=y')).rejects.toMatchObject({ code: 400 });
});

it('leaves JSON as it is', async () =>
  expect(await fieldsOf('{"email":"a"}', 'application/json')).toEqual([URL, { email: 'a' }, null]));
