#!/usr/bin/env node
// Starts every npm script: installs the packages the command needs, then runs scripts/<command>.ts on the project's own
// Node. Plain JavaScript, because it runs on whatever Node the machine has. In the npm package it is the program
// `common-ink`: npm has installed the packages by then, the commands are JavaScript, and the site is in the current folder.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheckout = existsSync(join(root, 'package-lock.json'));
const folder = isCheckout ? root : process.cwd();
const [first, ...others] = process.argv.slice(2);
// `line start` prepares the site and prints the server's command line for a shell to execute (scripts/start.sh).
const [isLine, command, ...rest] = first === 'line' ? [true, ...others] : [false, first, ...others];
const output = isLine ? 2 : 'inherit';
const packages = isCheckout
  ? join(root, 'node_modules')
  : dirname(dirname(createRequire(import.meta.url).resolve('node/package.json')));
const node = join(packages, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const scriptOf = (name) => join(root, 'scripts', `${name}.${isCheckout ? 'ts' : 'js'}`);
const stampFile = join(root, 'node_modules', '.common-ink-lock');
const settingsFile = join(folder, '.env');
// Variables already set override `.env`. `--env-file-if-exists` would print a line each time the file is missing.
const settings = existsSync(settingsFile) ? [`--env-file=${settingsFile}`] : [];

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Commands that need the development packages. All other commands run a site and need fewer packages. */
const FOR_DEVELOPERS = [
  'attack',
  'bench',
  'check',
  'conformance',
  'dev',
  'docs',
  'faults',
  'film',
  'release',
  'test',
  'words',
];

function isInstalled(lock, set) {
  if (!existsSync(node) || !existsSync(stampFile)) return false;
  const [installedLock, installedSet = 'all'] = readFileSync(stampFile, 'utf8').trim().split(' ');
  return installedLock === lock && (installedSet === set || installedSet === 'all');
}

async function install() {
  // `lock-hash.mjs` may be missing after an interrupted upgrade, until the old release is restored.
  const { lockHash } = await import('./lock-hash.mjs');
  const lock = lockHash(root);
  const set = FOR_DEVELOPERS.includes(command) ? 'all' : 'site';
  if (isInstalled(lock, set)) return;
  const say = isLine ? console.error : console.log;
  const development = set === 'all' ? ', including those for development' : '';
  say(`Installing packages${development} (only when they have changed) …`);
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const chosen = set === 'all' ? '--include=dev' : '--omit=dev';
  const result = spawnSync(program, [...args, 'ci', chosen, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['inherit', output, 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (result.status !== 0) fail('The packages could not be installed. See npm’s message above, then run this again.');
  writeFileSync(stampFile, `${lock} ${set}\n`);
}

// On an unsupported Node, npm silently skips packages that the build needs.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (!(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)))
  fail('Installing Common Ink needs Node 20.19, 22.12 or newer. It then installs the Node that it runs on.');
if (!command || !(existsSync(scriptOf(command)) || command === 'start')) fail(`Unknown command “${command ?? ''}”.`);

const isUpgrade = isCheckout && (command === 'upgrade' || command === 'rollback');
const { askingStdio, runsAsOwner } = isUpgrade ? await import('./upgrade/as-owner.mjs') : {};
if (runsAsOwner?.(root)) await new Promise(() => {});
const stdio = ['inherit', 'inherit', 'inherit', ...(askingStdio?.() ?? [])];

const places = join(root, '.upgrade', 'places.mjs');
if (existsSync(places)) {
  const { settleUpgrade } = await import(pathToFileURL(places).href);
  const isReplaced = await settleUpgrade(root).catch((error) => fail(error.message));
  if (isReplaced) {
    console.error('An upgrade was interrupted, so the previous release is back.');
    const again = spawnSync(process.execPath, process.argv.slice(1), { stdio });
    process.exit(again.status ?? 1);
  }
}
if (isCheckout) await install();
if (!existsSync(node))
  fail('The packages contain no Node for this platform. Allow npm to run install scripts, then run this again.');
// Removes a 100 MB download, which the `node` package has already copied into its own `bin`.
rmSync(join(packages, 'node', 'node_modules'), { recursive: true, force: true });

// By default, V8's heap growth and glibc's arena per thread cost over 100 MB in all. In the server and exports, the
// heap grows by half before a full collection, which makes renders 8 % slower. An export starts with a larger heap, so
// that reading the last run's record triggers no collection. An import's flags save 50 MiB but take a quarter more time
// (docs/decisions/026-imports.md). A backup's flags save 80 MiB of 200 (docs/decisions/019-backup.md).
const isLean = ['start', 'export', 'import', 'backup'].includes(command);
const flags = {
  start: ['--max-semi-space-size=4', '--heap-growing-percent=50'],
  backup: ['--max-semi-space-size=2', '--heap-growing-percent=20'],
  import: [
    '--max-semi-space-size=2',
    '--memory-saver-mode',
    '--no-memory-pool',
    '--no-maglev',
    '--no-concurrent-recompilation',
  ],
  export: ['--max-semi-space-size=16', '--heap-growing-percent=50', '--initial-old-space-size=128'],
};
const environment = {
  ...(isLean ? { MALLOC_ARENA_MAX: '1' } : {}),
  // Makes glibc return freed memory immediately, which saves 20 MiB in an import.
  ...(command === 'import' ? { MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536' } : {}),
  // Caches compiled code, which halves a command's start time. Imports do without the cache, because it takes 7 MiB.
  ...(command === 'import' || command === 'start'
    ? {}
    : { NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compiled') }),
  ...process.env,
  PATH: `${join(folder, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
};

const CANNOT_RUN = 127;
const LACKS_LIBRARY = 'A system library that Node needs is missing. On Debian and Ubuntu: apt-get install libatomic1';

const entry = join(root, 'dist', 'server', 'entry.mjs');

if (isLine) {
  const prepared = spawnSync(node, [...settings, join(root, 'scripts', 'prepare.ts')], {
    cwd: root,
    stdio: ['inherit', output, 'inherit'],
    env: environment,
  });
  if (prepared.status === CANNOT_RUN) fail(LACKS_LIBRARY);
  if (prepared.status !== 0) process.exit(prepared.status ?? 1);
  const { PATH, MALLOC_ARENA_MAX, NODE_ENV = 'production' } = environment;
  const variables = Object.entries({ PATH, MALLOC_ARENA_MAX, NODE_ENV });
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const server = [node, ...settings, ...flags.start, entry];
  console.log(['env', ...variables.map((pair) => quoted(pair.join('='))), ...server.map(quoted)].join(' '));
} else {
  const script = command === 'start' && !isCheckout ? entry : scriptOf(command);
  const line = [...settings, ...(flags[command] ?? []), script, ...rest];
  // Replaces this process with the server, to save its memory. Node 20 cannot do this.
  if (script === entry && process.execve) process.execve(node, [node, ...line], environment);
  const child = spawn(node, line, { cwd: folder, stdio, env: environment });
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm signals only the shell that started this process, and the shell exits without forwarding the signal. So this
  // process polls for the shell's exit.
  const shell = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watching);
    child.kill('SIGTERM');
  }, 200).unref();
  child.on('exit', (code, signal) => {
    if (code === CANNOT_RUN) fail(LACKS_LIBRARY);
    process.exit(code ?? (signal === 'SIGINT' ? 130 : 1));
  });
}
