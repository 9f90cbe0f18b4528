import { expect, it } from 'vitest';
import { ApiError } from './errors.ts';
import { passkeyFault, passkeyMessage, passkeyText } from './messages/passkeys.ts';
import { passkeyHostOf } from './passkeys.ts';

it('has a host for passkeys unless the site’s address is an IP address', () => {
  expect(['https://blog.example/', 'http://localhost:4321'].map(passkeyHostOf)).toEqual(['blog.example', 'localhost']);
  for (const url of ['http://127.0.0.1:4321', 'http://[::1]:4321']) expect(passkeyHostOf(url)).toBeUndefined();
});

it('tells a refused passkey in words, and leaves other errors to their forms', () => {
  const refused = Object.assign(new Error('Backend'), { name: 'NotAllowedError' });
  expect(passkeyFault(refused)).toBe(passkeyText.cancelled);
  expect(passkeyFault(new ApiError(422, 'passkey-expired'))).toBe(passkeyText.expired);
  expect(passkeyFault(new ApiError(403, 'passkey-cloned'))).toBe(passkeyText.cloned);
  for (const other of [undefined, new Error('x'), new ApiError(422, 'address-taken')])
    expect(passkeyFault(other)).toBeUndefined();
});

it('says when there were too many attempts, when the session ended, and what the backend said', () => {
  expect(passkeyMessage(new ApiError(429, 'passkey-unknown'))).toMatch(/^Too many attempts/);
  expect(passkeyMessage(new ApiError(401, 'x'))).toMatch(/session/i);
  expect(passkeyMessage(new ApiError(0, ''))).toMatch(/cannot be reached/);
  expect(passkeyMessage(new ApiError(500, ''))).toBe(passkeyText.failed);
  expect(passkeyMessage(new Error('The words of the backend.'))).toBe('The words of the backend.');
});
