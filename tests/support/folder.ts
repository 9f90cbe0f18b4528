import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function folderUntil(end: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-test-'));
  end(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns a new folder, which is removed when the current test ends. */
export const ownFolder = (): string => folderUntil(onTestFinished);

/** Returns a new folder, which is removed after all tests of the file. */
export const sharedFolder = (): string => folderUntil(afterAll);
