import { expect, it } from 'vitest';
import { faultOf, isMarkup, isSignedOut, isUnreachable, kindOf } from './errors.ts';

const fault = (code: number, type = '', message = 'The words of the backend.') => ({ code, type, message });

it('reads any thrown thing as a fault', () => {
  expect(faultOf(fault(404, 'document_not_found'))).toEqual(fault(404, 'document_not_found'));
  expect(faultOf('Why')).toEqual(fault(0, '', 'Why'));
  for (const nothing of [undefined, null, 7, {}]) expect(faultOf(nothing)).toEqual(fault(0, '', ''));
});

it('tells kinds apart by status and type', () => {
  expect(kindOf(fault(400))).toBe('invalid');
  expect(kindOf(fault(401))).toBe('bad-credentials');
  expect(kindOf(fault(401, 'user_invalid_credentials'))).toBe('bad-credentials');
  expect(kindOf(fault(401, 'user_more_factors_required'))).toBe('unauthorized');
  expect(kindOf(fault(409, 'document_already_exists'))).toBe('taken');
  expect(kindOf(fault(409, 'document_update_conflict'))).toBe('update-conflict');
  expect(kindOf(fault(413, 'storage_quota_exceeded'))).toBe('quota-exceeded');
  expect(kindOf(fault(429))).toBe('too-many-requests');
  expect(kindOf(fault(507))).toBe('no-room');
  expect(kindOf(fault(404))).toBe('other');
});

it('knows an answer that is only a proxy’s, and none', () => {
  for (const code of [502, 503, 504]) expect(isUnreachable(fault(code))).toBe(true);
  for (const code of [500, 501, 505]) expect(isUnreachable(fault(code))).toBe(false);
  expect(kindOf(new TypeError('fetch failed'))).toBe('unreachable');
  expect(kindOf(new Error('fetched'))).toBe('other');
  expect(isMarkup(fault(403, '', ' <html>'))).toBe(true);
  expect(isMarkup(fault(400, '', 'Titles are < 255 signs.'))).toBe(false);
});

it('a refusal for want of a session is one with any type', () => {
  expect(isSignedOut(fault(401, 'user_unauthorized'))).toBe(true);
  expect(isSignedOut(fault(403))).toBe(false);
});
