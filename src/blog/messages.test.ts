import { expect, it } from 'vitest';
import { setLanguage } from './messages/language.ts';
import * as messages from './messages.ts';

const { listMessage, loginMessage, postMessage, signupMessage, uploadMessage, viewMessage } = messages;

const fault = (code: number, type = '', message = 'The words of the backend.') => ({ code, type, message });

it('names a failed login', () => {
  const told = [fault(401), fault(401, 'user_invalid_credentials'), fault(429), undefined].map(loginMessage);
  const [wrong, tooMany] = ['Invalid email or password.', 'Too many attempts. Please retry later.'];
  expect(told).toEqual([wrong, wrong, tooMany, 'Something went wrong. Please try again later.']);
  for (const other of [fault(401, 'user_more_factors_required'), fault(403, 'user_blocked')])
    expect(loginMessage(other)).toBe(other.message);
});

it('names a failed sign-up', () => {
  expect([fault(429), fault(409), fault(400), fault(500), {}].map(signupMessage)).toEqual([
    'Too many requests. Please try again later.',
    'An account with this email already exists.',
    'Invalid email or password format.',
    'The words of the backend.',
    'Unable to create account. Please try again.',
  ]);
});

it('names a post that could not be written', () => {
  const taken = 'A post with this slug already exists. Change the title or slug and try again.';
  expect(postMessage(fault(409))).toBe(taken);
  const lacking = { ...fault(400), message: 'Invalid document structure: Unknown attribute: "tags"' };
  expect(postMessage(lacking)).toMatch(/“tags” .+ npm run provision/);
  expect(postMessage(fault(409, 'document_already_exists'))).toBe(taken);
  expect(postMessage(fault(409, 'document_update_conflict'))).toBe('The words of the backend.');
  expect(postMessage(new Error(''))).toBe('Failed to submit post');
});

it('says that the server has no room, and of a text that it is kept', () => {
  const full = fault(507, 'general_storage_full');
  expect(postMessage(full)).toMatch(/run out of space\. Your text is kept on this device; try again later\.$/);
  for (const words of [uploadMessage, signupMessage, loginMessage])
    expect(words(full)).toBe('The server has run out of space. Try again later, or tell the site’s operator.');
});

it('names lists, views and deletes that failed', () => {
  expect(listMessage(null)).toBe('Failed to fetch posts');
  expect(viewMessage(null)).toBe('Failed to fetch post');
  expect(listMessage(new Error('Why'))).toBe('Why');
  expect(messages.deleteMessage(new Error('Why'))).toBe('Failed to delete post');
});

it('keeps a proxy’s page of markup from people, and says what it means', () => {
  const page = (code: number) => fault(code, '', '<html>\r\n<head><title>Not from the backend</title></head></html>');
  expect(uploadMessage(page(413))).toMatch(/^This is larger than the server accepts\. Use a smaller picture, or ask/);
  expect(postMessage(page(403))).toMatch(/^The server answered with an error page \(403\)\. Try again later, or tell/);
  for (const words of [listMessage, viewMessage, loginMessage, signupMessage])
    expect(words(page(500))).toContain('(500)');
  expect(postMessage(fault(400, '', 'Titles are < 255 signs.'))).toBe('Titles are < 255 signs.');
});

it('says in its own words that there is no room, in the language of the site', () => {
  const used = fault(413, 'storage_quota_exceeded', 'You have used all of your storage (64 MB). Ask.');
  const full = fault(507, 'general_storage_full');
  for (const words of [postMessage, uploadMessage])
    expect(words(used)).toMatch(/^You have used all of your storage \(64 MB\)\. Delete pictures or posts you/);
  setLanguage('de');
  expect(postMessage(used)).toMatch(/^Dein Speicherplatz ist aufgebraucht \(64 MB\)\./);
  expect(postMessage(full)).toMatch(/^Auf dem Server ist kein Platz mehr\./);
  setLanguage('en');
});

it('says the same for every engine when there is no connection', () => {
  const browsers = ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'];
  for (const message of [...browsers, 'fetch failed']) {
    const told = postMessage(new TypeError(message));
    expect(told).toBe('The server cannot be reached. Check your connection and try again.');
  }
  expect(loginMessage(fault(503))).toMatch(/cannot be reached/);
});
