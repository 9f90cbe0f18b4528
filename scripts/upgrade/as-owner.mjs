// If root starts an upgrade, runs it as the checkout's owner, because git refuses to work on another user's files and
// the server could not use files owned by root. Plain JavaScript, because it runs on whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { readSync, statSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VARIABLE = 'RESTARTED_BY_ROOT';
const DESCRIPTOR = 3;

export const askingStdio = () => (process.env[VARIABLE] ? [DESCRIPTOR] : []);

/** Returns the user's home folder (for npm's cache), or `otherwise`. @param {number} uid @param {string} otherwise */
function homeOf(uid, otherwise) {
  const home = spawnSync('getent', ['passwd', `${uid}`], { encoding: 'utf8' }).stdout?.split(':')[5];
  return home && statSync(home, { throwIfNoEntry: false })?.uid === uid ? home : otherwise;
}

function environmentForOwner() {
  const isOfRoot = (/** @type {[string, string | undefined]} */ [name, value]) =>
    /^npm_config_/i.test(name) && value?.startsWith(join(homedir(), '/'));
  return Object.fromEntries(Object.entries(process.env).filter((each) => !isOfRoot(each)));
}

/** @param {readonly string[]} args @returns {string | undefined} */
function restartOf(args) {
  const at = args.findIndex((each) => each === '--restart' || each.startsWith('--restart='));
  if (at === -1) return undefined;
  return args[at] === '--restart' ? args[at + 1] : args[at]?.slice('--restart='.length);
}

/**
 * If root runs this command in another user's checkout, reruns it as that user and exits with the exit code of that
 * run. Otherwise returns false.
 * @param {string} root
 */
export function runsAsOwner(root) {
  const { uid, gid } = statSync(root);
  if (process.getuid?.() !== 0 || uid === 0) return false;
  const restart = restartOf(process.argv);
  const child = spawn(process.execPath, process.argv.slice(1), {
    uid,
    gid,
    env: { ...environmentForOwner(), HOME: homeOf(uid, root), [VARIABLE]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const asking = /** @type {import('node:net').Socket} */ (child.stdio[DESCRIPTOR]);
  asking.on('data', () => {
    const { status } = spawnSync(restart ?? 'false', { shell: true, stdio: 'inherit' });
    asking.write(status === 0 ? '0' : '1');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {});
  child.on('exit', (code) => process.exit(code ?? 1));
  return true;
}

/** Runs the restart command, as root if root started the upgrade. @param {string} command @throws Error if it fails */
export function runRestart(command) {
  if (!process.env[VARIABLE]) {
    if (spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0)
      throw new Error(`This command failed: ${command}`);
    return;
  }
  const answer = Buffer.alloc(1);
  writeSync(DESCRIPTOR, '?');
  readSync(DESCRIPTOR, answer);
  if (answer.toString() !== '0') throw new Error(`This command failed: ${command}`);
}
