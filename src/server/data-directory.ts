/** The data folder: made when missing, proved writable before anything is promised, owned by one server at a time. */
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes `directory` and proves that it can be written.
 * @throws NodeJS.ErrnoException naming the path.
 */
export function prepareDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true });
  accessSync(directory, constants.W_OK);
  const probe = join(directory, `.probe-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
}
