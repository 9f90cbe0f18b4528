/** An SMTP server that stores each mail as a file in a folder. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import type { MailOptions } from '../../src/index.ts';

export const SENDER = { address: 'robot@example.com', name: 'The Robot' };

export async function catchMail(): Promise<{ folder: string; smtp: MailOptions; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'common-ink-mailbox-'));
  let count = 0;
  const catcher = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        count += 1;
        const file = join(folder, `${String(count).padStart(6, '0')}.eml`);
        await writeFile(`${file}.part`, Buffer.concat(chunks));
        await rename(`${file}.part`, file);
        callback();
      });
    },
  });
  catcher.on('error', () => {});
  await new Promise<void>((resolve) => catcher.listen(0, '127.0.0.1', resolve));
  const { port } = catcher.server.address() as AddressInfo;
  return {
    folder,
    smtp: { host: '127.0.0.1', port, secure: 'none', from: SENDER },
    async stop() {
      await new Promise<void>((resolve) => catcher.close(() => resolve()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
