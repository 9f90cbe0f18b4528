import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from './site.ts';

test('a start on a taken port or without a writable data folder ends with a sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-start-'));
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  for (const [PORT, DATA_DIR, sentence] of [
    [
      `${port}`,
      join(folder, 'taken'),
      new RegExp(
        `^Port ${port} on 127\\.0\\.0\\.1 is taken\\. Stop the program that uses it, or set PORT to a free one\\.$`,
      ),
    ],
    [
      '4399',
      join(file, 'data'),
      /^The data folder cannot be written \(.*\)\. Set DATA_DIR to a folder this user may write\.$/,
    ],
  ] as const) {
    const env = { ...process.env, LOG_FORMAT: 'text', PORT, DATA_DIR };
    const [code, said] = await new Promise<[unknown, string]>((resolve) => {
      execFile(process.execPath, ['scripts/start.ts'], { env }, (error, out, errors) =>
        resolve([error?.code, out + errors]),
      );
    });
    expect(code).toBe(1);
    expect(said.trim()).toMatch(sentence);
  }
  taken.close();
  rmSync(folder, { recursive: true, force: true });
});
