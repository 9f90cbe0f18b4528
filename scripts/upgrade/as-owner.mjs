// An upgrade that root calls in somebody else's checkout. Git does not touch what belongs to another user, and what root
// wrote there would be out of the server's reach: all of it runs as the checkout's owner, but for the command that starts
// the server anew, which only root may run. Plain JavaScript, because it runs on whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { readSync, statSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Names the descriptor at which root is asked to run its command. */
const VARIABLE = 'RESTARTED_BY_ROOT';
const DESCRIPTOR = 3;

/** What a process needs beside the usual descriptors to be able to ask. */
export const askingStdio = () => (process.env[VARIABLE] ? [DESCRIPTOR] : []);

/** The folder of that user's own, where npm keeps its cache; many a service has none. @param {number} uid @param {string} otherwise */
function homeOf(uid, otherwise) {
  const home = spawnSync('getent', ['passwd', `${uid}`], { encoding: 'utf8' }).stdout?.split(':')[5];
  return home && statSync(home, { throwIfNoEntry: false })?.uid === uid ? home : otherwise;
}

/** The environment without npm's settings that name something in root's home, such as its cache: `npm run` exports them. */
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
 * Where root calls: runs this process's command again as the owner of `root`, and ends with its exit code. Else gives false.
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
  // Whoever ends this ends all of it; what an upgrade leaves is settled by the next command.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => {});
  child.on('exit', (code) => process.exit(code ?? 1));
  return true;
}

/** Runs the command that starts the server: by root, where root has called. @param {string} command @throws Error when it fails */
export function runRestart(command) {
  if (!process.env[VARIABLE]) {
    if (spawnSync(command, { shell: true, stdio: 'inherit' }).status !== 0) throw new Error(`It failed: ${command}`);
    return;
  }
  const answer = Buffer.alloc(1);
  writeSync(DESCRIPTOR, '?');
  readSync(DESCRIPTOR, answer);
  if (answer.toString() !== '0') throw new Error(`It failed: ${command}`);
}
