/** An upgrade that root calls in a checkout that belongs to another user. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** Nobody's, on any Unix. */
const OWNER = 65_534;
const folder = mkdtempSync(join(tmpdir(), 'common-ink-as-owner-'));
const AS_OWNER = join(import.meta.dirname, '..', '..', 'scripts', 'upgrade', 'as-owner.mjs');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.runIf(process.getuid?.() === 0)(
  'all of it is done as the owner, but for the command that starts the server',
  () => {
    const script = join(folder, 'command.mjs');
    const restarted = join(folder, 'restarted');
    const asOwner = join(folder, 'as-owner.mjs');
    writeFileSync(asOwner, readFileSync(AS_OWNER));
    writeFileSync(
      script,
      `import { runRestart, runsAsOwner } from './as-owner.mjs';
     if (!runsAsOwner(${JSON.stringify(folder)})) {
       runRestart('never');
       console.log(process.getuid(), process.env.HOME !== '/root');
       process.exitCode = 7;
     }`,
    );
    chmodSync(folder, 0o755);
    chownSync(folder, OWNER, OWNER);
    let said = '';
    let code: number | null = 0;
    try {
      execFileSync(process.execPath, [script, '--restart', `id -u > ${restarted}`], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    } catch (error) {
      ({ stdout: said, status: code } = error as { stdout: string; status: number });
    }
    expect([code, said]).toEqual([7, `${OWNER} true\n`]);
    expect(readFileSync(restarted, 'utf8')).toBe('0\n');
  },
);
