import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a new folder for `using`, which removes it at the end of the scope. */
export const temporaryFolder = () => mkdtempDisposableSync(join(tmpdir(), 'common-ink-'));
