/** An SMTP server that stores each mail as a file in a folder. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailOptions } from '../../src/index.ts';
import { startMailServer } from '../support/mail-server.ts';

export async function catchMail(): Promise<{ folder: string; smtp: MailOptions; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-mailbox-'));
  const server = await startMailServer();
  let count = 0;
  server.keep = async (raw) => {
    count += 1;
    const file = join(folder, `${String(count).padStart(6, '0')}.eml`);
    await writeFile(`${file}.part`, raw);
    await rename(`${file}.part`, file);
  };
  return {
    folder,
    smtp: server.options,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
