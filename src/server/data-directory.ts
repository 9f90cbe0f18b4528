/** The data folder: made when missing, proved writable before anything is promised, owned by one server at a time. */
import { accessSync, chmodSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Anybody may write into such a folder, as into /tmp: it is shared on purpose. */
const STICKY = 0o1000;

/**
 * Makes `directory`, closes it to other users of the machine, and proves that it can be written.
 * @throws NodeJS.ErrnoException naming the path.
 */
export function prepareDataDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (!(statSync(directory).mode & STICKY)) closeToOthers(directory);
  accessSync(directory, constants.W_OK);
  const probe = join(directory, `.probe-${process.pid}`);
  writeFileSync(probe, '');
  rmSync(probe);
}

function closeToOthers(directory: string): void {
  try {
    chmodSync(directory, 0o700);
  } catch (error) {
    // Somebody else's folder that this user may write, such as a volume: who owns it says who may read it.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
