import { describe, expect, test } from 'vitest';
import type { Caller } from './caller.ts';
import {
  authorise,
  CONTAINER_ACTIONS,
  defaultPermissions,
  expandPermissions,
  mayGrant,
  requireGrantable,
  requirePermission,
  rolesFor,
} from './permissions.ts';

const NOBODY_IN_PARTICULAR = { scopes: new Set<string>(), via: 'none' } as const;
const guest: Caller = { ...NOBODY_IN_PARTICULAR, kind: 'guest', roles: ['any', 'guests'], privileged: false };
const ann: Caller = {
  ...NOBODY_IN_PARTICULAR,
  kind: 'user',
  roles: ['any', 'users', 'users/unverified', 'user:ann', 'user:ann/unverified', 'label:vip'],
  privileged: false,
  user: { id: 'ann' } as Caller['user'],
};
const key: Caller = { ...NOBODY_IN_PARTICULAR, kind: 'key', roles: [], privileged: true };

describe('authorise', () => {
  test('asks for the action and one of the roles', () => {
    expect(authorise(ann, 'read', ['read("users")'])).toBe(true);
    expect(authorise(ann, 'update', ['read("users")'])).toBe(false);
    expect(authorise(ann, 'read', ['read("user:bob")', 'read("guests")'])).toBe(false);
    expect(authorise(ann, 'read', ['read("label:vip")'])).toBe(true);
    expect(authorise(guest, 'read', ['read("any")'])).toBe(true);
    expect(authorise(guest, 'read', ['read("users")'])).toBe(false);
  });

  test('nobody but a key passes where nothing is granted', () => {
    expect(authorise(ann, 'create', [])).toBe(false);
    expect(authorise(key, 'create', [])).toBe(true);
  });
});

describe('granting', () => {
  test('one gives away only roles one holds', () => {
    expect(mayGrant(ann, ['read("any")', 'update("user:ann")'])).toBe(true);
    expect(mayGrant(ann, ['read("user:bob")'])).toBe(false);
    expect(mayGrant(guest, ['read("users")'])).toBe(false);
    expect(mayGrant(key, ['read("user:bob")'])).toBe(true);
  });

  test('a refusal lists the roles one holds', () => {
    expect(() => requireGrantable(guest, ['read("users")'])).toThrow('Permissions must be one of: (any, guests)');
  });
});

test('a missing permission is told in the contract’s words', () => {
  expect(() => requirePermission(guest, 'create', [])).toThrow("No permissions provided for action 'create'");
  expect(() => requirePermission(guest, 'create', ['create("users")'])).toThrow(
    'Missing "create" permission for role "users". Only "["any","guests"]" scopes are allowed and "["users"]" was given.',
  );
});

test('what a new resource gets by default', () => {
  expect(defaultPermissions(ann)).toEqual(['read("user:ann")', 'update("user:ann")', 'delete("user:ann")']);
  expect(defaultPermissions(guest)).toEqual([]);
  expect(defaultPermissions(key)).toEqual([]);
});

test('write on a collection is create, update and delete', () => {
  expect(expandPermissions(['write("users")'], CONTAINER_ACTIONS)).toEqual([
    'create("users")',
    'update("users")',
    'delete("users")',
  ]);
});

test('the roles of one action', () => {
  expect(rolesFor('read', ['read("any")', 'update("users")', 'read("user:a")'])).toEqual(['any', 'user:a']);
});
