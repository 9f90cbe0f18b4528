import { expect, test } from 'vitest';
import { deliveryBody, signatureOf } from './body.ts';

test('a body is ASCII, with slashes escaped and whole numbers exact', () => {
  expect(deliveryBody({ a: 'é/x', b: '😀\u007f"' })).toBe('{"a":"\\u00e9\\/x","b":"\\ud83d\\ude00\u007f\\""}');
  expect(deliveryBody({ n: 12345678901234567890n })).toBe('{"n":12345678901234567890}');
});

test('the signature is the base64 of HMAC-SHA1 over address and body', () => {
  // printf '%s' 'https://example.com/hook{}' | openssl dgst -sha1 -hmac 'secret key' -binary | base64
  expect(signatureOf('secret key', 'https://example.com/hook', '{}')).toBe('jXyA6v+yOhtGm+j+zJsvTdFiyn4=');
});
