import { expect, it } from 'vitest';
import { resolveChannel } from './channels.ts';

it('leaves every name but the account as it is', () => {
  for (const name of ['documents', 'databases.d.collections.c.documents.x.update', 'anything', '']) {
    expect(resolveChannel(name, 'ann')).toBe(name);
    expect(resolveChannel(name, undefined)).toBe(name);
  }
});

it('makes the account the user’s own', () => {
  expect(resolveChannel('account', 'ann')).toBe('account.ann');
  expect(resolveChannel('account.update', 'ann')).toBe('account.ann.update');
  expect(resolveChannel('account.ann', 'ann')).toBe('account.ann');
  expect(resolveChannel('account.ann.update', 'ann')).toBe('account.ann.update');
});

it('drops the account of anybody else', () => {
  for (const name of ['account.bob', 'account.bob.update', 'account.ann.x', 'account.ann.update.x']) {
    expect(resolveChannel(name, 'ann')).toBeUndefined();
  }
  expect(resolveChannel('account.ann', undefined)).toBeUndefined();
});

it('keeps a guest’s literal name', () => {
  expect(resolveChannel('account', undefined)).toBe('account');
  expect(resolveChannel('account.update', undefined)).toBe('account.update');
});
