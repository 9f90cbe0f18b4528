// The door of every npm script: installs what the lock file asks for, then runs scripts/<command>.ts on the Node that
// the project brings itself. Plain JavaScript, because it runs on whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [first, ...others] = process.argv.slice(2);
// `line` runs nothing: it prints what is to be run, for a shell that becomes it (scripts/start.sh).
const [isLine, command, ...rest] = first === 'line' ? [true, ...others] : [false, first, ...others];
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const stampFile = join(root, 'node_modules', '.common-ink-lock');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function installed(wanted) {
  return existsSync(node) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted;
}

function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (installed(wanted)) return;
  console[isLine ? 'error' : 'log']('Installing packages (only when package-lock.json has changed) …');
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(program, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['inherit', isLine ? 2 : 'inherit', 'inherit'],
    shell: !npm && process.platform === 'win32',
  });
  if (result.status !== 0) fail('The packages could not be installed. See what npm says above, then run this again.');
  if (!existsSync(node)) fail('The packages hold no Node for this platform. Install with install scripts enabled.');
  writeFileSync(stampFile, wanted);
}

if (Number(process.versions.node.split('.')[0]) < 18) fail('Node 18 or newer is needed to install Common Ink.');
if (!command || !existsSync(join(root, 'scripts', `${command}.ts`))) fail(`There is no command "${command ?? ''}".`);
install();

// Under load V8 would rather grow its heap than collect, and glibc keep an arena for each thread: more than a hundred
// megabytes of resident memory. The old generation grows by half before it is collected, which costs a render 8 %.
// An export, which may take a server along, goes through a whole site; what it knows of the last one it reads without a
// collection.
const serves = command === 'start' || command === 'export';
const flags = {
  start: ['--max-semi-space-size=8', '--heap-growing-percent=50'],
  export: ['--max-semi-space-size=16', '--heap-growing-percent=50', '--initial-old-space-size=128'],
};
const run = [node, ...(flags[command] ?? []), join(root, 'scripts', `${command}.ts`), ...rest];
const environment = {
  ...(serves ? { MALLOC_ARENA_MAX: '1' } : {}),
  // Node need not compile TypeScript that it compiled before: a command starts in half the time.
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
};
const path = `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`;

if (isLine) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const chosen = { ...environment, ...pick(process.env, Object.keys(environment)), PATH: path };
  const settings = Object.entries(chosen).map(([name, value]) => quoted(`${name}=${value}`));
  console.log(['env', ...settings, ...run.map(quoted)].join(' '));
} else {
  const child = spawn(node, run.slice(1), {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, ...process.env, PATH: path },
  });
  // A terminal sends Ctrl-C to the child as well; here it only must not end the wait for its clean end.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}

function pick(object, names) {
  return Object.fromEntries(names.filter((name) => object[name] !== undefined).map((name) => [name, object[name]]));
}
