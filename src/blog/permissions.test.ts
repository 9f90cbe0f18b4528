import { expect, it } from 'vitest';
import { isForgery, isShared, postPermissions } from './permissions.ts';

it('lets anyone read an active post and its author alone an inactive one', () => {
  expect(postPermissions('active', 'ann')).toEqual(['read("any")', 'update("user:ann")', 'delete("user:ann")']);
  expect(postPermissions('inactive', 'ann')).toEqual(['read("user:ann")', 'update("user:ann")', 'delete("user:ann")']);
});

it('knows a document that names another author than its permissions do', () => {
  expect(isForgery({ userId: 'ann', permissions: postPermissions('active', 'ann') })).toBe(false);
  expect(isForgery({ userId: 'ann', permissions: postPermissions('active', 'eve') })).toBe(true);
  expect(isForgery({ userId: 'ann', permissions: ['read("any")'] })).toBe(true);
  expect(isForgery({ userId: 'ann', permissions: ['read("any")', 'update("users")'] })).toBe(true);
});

it('tells a draft by what others may read of it, not by what it says', () => {
  expect(isShared({ permissions: postPermissions('inactive', 'ann') })).toBe(false);
  expect(isShared({ permissions: ['read("user:ann")', 'read("user:bob")', 'update("users")'] })).toBe(false);
  expect(isShared({ permissions: [] })).toBe(false);
  for (const reader of ['any', 'users', 'guests', 'team:site', 'label:vip', 'users/verified'])
    expect(isShared({ permissions: ['read("user:ann")', `read("${reader}")`] }), reader).toBe(true);
});
