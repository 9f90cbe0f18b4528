import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns a new folder, which is removed when the current test ends. */
export function folderOfTest(): string {
  const directory = mkdtempSync(join(tmpdir(), 'embedded-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
