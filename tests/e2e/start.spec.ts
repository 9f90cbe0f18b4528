import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { expect, test } from './site.ts';

test('a start on a taken port or without a writable data folder ends with a sentence', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a-file');
  writeFileSync(file, '');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const isTaken = new RegExp(`^Port ${port} on \\S+ is taken\\. Stop the program .*, or set PORT to a free one\\.$`);
  const isNoFolder =
    /^The data folder is not writable \(.*\)\. Set DATA_DIR to a folder that this user may write to\.$/;
  for (const [PORT, DATA_DIR, sentence] of [
    [`${port}`, join(folder.path, 'taken'), isTaken],
    ['4399', join(file, 'data'), isNoFolder],
  ] as const) {
    const env = { ...process.env, LOG_FORMAT: 'text', PORT, DATA_DIR };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.ts'], { env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect((stdout + stderr).trim()).toMatch(sentence);
  }
  taken.close();
});
