import { describe, expect, test } from 'vitest';
import { chooseVersion, compareVersions, notesBetween } from './versions.ts';

test('versions are compared by number, not by letter', () => {
  expect(['1.10.0', 'v1.9.9', '2.0.0', '1.9.10'].sort(compareVersions)).toEqual([
    'v1.9.9',
    '1.9.10',
    '1.10.0',
    '2.0.0',
  ]);
});

describe('the release that an upgrade goes to', () => {
  const tags = ['v0.9.0', 'v1.0.0', 'v1.0.1', 'v1.10.0', 'v1.9.0', 'v2.0.0', 'v2.1.0-beta.1', 'nightly'];
  test.each([
    ['1.0.0', false, { version: '1.10.0', nextMajor: '2.0.0' }],
    ['1.0.0', true, { version: '2.0.0', nextMajor: undefined }],
    ['1.10.0', false, { version: undefined, nextMajor: '2.0.0' }],
    ['2.0.0', true, { version: undefined, nextMajor: undefined }],
  ])('from %s, with --major %s', (installed, mayBeMajor, choice) => {
    expect(chooseVersion(tags, installed, mayBeMajor)).toEqual(choice);
  });
});

test('the notes are those after the installed release, up to the new one', () => {
  const log =
    '# Changelog\n\n## 1.1.0 (2027-01-01)\n\n- c\n\n## 1.0.1 (2026-12-24)\n\n- b\n\n## 1.0.0 (2026-12-01): what it does\n\n- a\n';
  expect(notesBetween(log, '1.0.0', '1.0.1')).toBe('## 1.0.1 (2026-12-24)\n\n- b');
  expect(notesBetween(log, '1.0.0', '1.1.0')).toMatch(/^## 1\.1\.0 .*- b$/s);
  expect(notesBetween(log, '1.1.0', '1.1.0')).toBe('');
});
