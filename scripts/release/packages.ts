/**
 * Makes the npm packages of a release (docs/decisions/035-npm-packages.md). They contain JavaScript, and `common-ink`
 * also contains the built site.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { OperatorError } from '#blog/errors.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** Commands in the npm package, which work on a site. All other commands work on the checkout. */
const COMMANDS = [
  ...['owner', 'provision', 'import', 'seed', 'backup', 'restore', 'move', 'export', 'subscribers', 'sync', 'doctor'],
  ...['pages', 'upgrade'],
];

const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Compiles `files` and their imports below `root` into `to`, with the same paths. @returns the paths written */
function compile(root: string, files: readonly string[], to: string, declaration: boolean): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    {
      ...options,
      ...{ noEmit: false, noCheck: true, incremental: false, allowImportingTsExtensions: false, sourceMap: false },
      ...{ rewriteRelativeImportExtensions: true, declaration, rootDir: root, outDir: to },
      // Without declarations, the output does not depend on types, so no type libraries are loaded.
      ...(!declaration && { noLib: true, types: [] }),
    },
  );
  const written: string[] = [];
  program.emit(undefined, (path, text) => {
    // Skips files of workspaces, which are packed separately.
    const isOther = relative(to, path).startsWith('packages') && !files[0]?.startsWith('packages');
    if (isOther || !/\.(?:js|json|d\.ts)$/.test(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, path.endsWith('.d.ts') ? text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'") : text);
    written.push(path);
  });
  return written;
}

/** Returns the exact versions of the installed packages that the JavaScript below `folder` imports. */
function importedPackages(root: string, folder: string): Record<string, string> {
  const names = new Set<string>();
  for (const file of globSync('**/*.{js,mjs}', { cwd: folder, exclude: ['dist/client/**'] })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    const resolved = [...text.matchAll(/\bresolve\(`([^`$]+)/g)].map(([, path = '']) => path);
    for (const path of [...imported, ...resolved]) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      if (name && !/^[.#]/.test(name) && !name.startsWith('node:') && !builtinModules.includes(name)) names.add(name);
    }
  }
  const versionOf = (name: string) => readManifest(join(root, 'node_modules', name)).version;
  return Object.fromEntries([...names].sort().map((name) => [name, versionOf(name)]));
}

const writeManifest = (folder: string, manifest: Manifest) =>
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);

/** Returns the manifest without the fields that concern only the checkout. */
function published({ private: _, devDependencies: _dev, workspaces: _all, overrides: _others, ...rest }: Manifest) {
  return rest as Manifest;
}

/** Bundles the unpublished workspace `@common-ink/http` into the package that needs it. */
function bundleHttp(root: string, stage: string): void {
  const folder = join(stage, 'node_modules', '@common-ink', 'http');
  const source = 'packages/http';
  const files = globSync(`${source}/src/**/*.ts`, { cwd: root, exclude: (path) => path.endsWith('.test.ts') });
  const work = join(stage, '..', 'http');
  compile(root, files, work, true);
  mkdirSync(dirname(folder), { recursive: true });
  cpSync(join(work, source), folder, { recursive: true });
  rmSync(work, { recursive: true });
  writeManifest(folder, { ...published(readManifest(join(root, source))), exports: { './*.ts': './src/*.js' } });
}

function stageBackend(root: string, stage: string): void {
  const source = 'packages/embedded-appwrite';
  const manifest = readManifest(join(root, source));
  const work = `${stage}.work`;
  compile(root, [`${source}/src/index.ts`, `${source}/src/backup/index.ts`, `${source}/src/serve.ts`], work, true);
  cpSync(join(work, source), stage, { recursive: true });
  rmSync(work, { recursive: true });
  bundleHttp(root, stage);
  const entry = (path: string) => ({ types: `./src/${path}.d.ts`, default: `./src/${path}.js` });
  writeManifest(stage, {
    ...published(manifest),
    exports: { '.': entry('index'), './backup': entry('backup/index') },
    bin: 'src/serve.js',
    scripts: {},
    bundleDependencies: ['@common-ink/http'],
  });
  for (const name of ['README.md', '../../LICENSE']) cpSync(join(root, source, name), join(stage, basename(name)));
}

function stageSite(root: string, stage: string, backend: string): void {
  const commands = COMMANDS.map((command) => `scripts/${command}.ts`);
  compile(root, commands, stage, false);
  for (const name of ['scripts/bootstrap.mjs', 'scripts/seed/posts', 'scripts/seed/pictures', 'dist'])
    cpSync(join(root, name), join(stage, name), { recursive: true });
  for (const name of globSync('scripts/**/*.mjs', { cwd: root })) cpSync(join(root, name), join(stage, name));
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', '.env.example'])
    cpSync(join(root, name), join(stage, name));
  forgetFolder(join(stage, 'dist', 'server'), root);
  const modules = join(stage, 'node_modules');
  cpSync(backend, join(modules, 'embedded-appwrite'), { recursive: true });
  renameSync(join(modules, 'embedded-appwrite', 'node_modules', '@common-ink'), join(modules, '@common-ink'));
  rmSync(join(modules, 'embedded-appwrite', 'node_modules'), { recursive: true });
  const manifest = readManifest(root);
  writeManifest(stage, {
    ...published(manifest),
    bin: 'scripts/bootstrap.mjs',
    imports: { '#*.ts': './src/*.js' },
    scripts: {},
    dependencies: { ...importedPackages(root, stage), node: manifest.dependencies?.node ?? '' },
    bundleDependencies: ['@common-ink/http', 'embedded-appwrite'],
  });
}

/** Replaces the checkout's path in the built site, so that every checkout builds the same package. */
function forgetFolder(server: string, root: string): void {
  for (const name of globSync('**/*.mjs', { cwd: server })) {
    const path = join(server, name);
    const text = readFileSync(path, 'utf8');
    if (text.includes(root)) writeFileSync(path, text.replaceAll(root, '/srv/common-ink'));
  }
}

/**
 * Packs `common-ink`, `embedded-appwrite` and `create-common-ink` from the built checkout `root` into `to`.
 * @returns the file names @throws OperatorError if npm cannot pack one
 */
export function packPackages(root: string, to: string): string[] {
  const work = join(to, 'work');
  rmSync(work, { recursive: true, force: true });
  const stages = ['embedded-appwrite', 'common-ink', 'create-common-ink'].map((name) => join(work, name));
  for (const stage of stages) mkdirSync(stage, { recursive: true });
  const [backend = '', site = '', creator = ''] = stages;
  stageBackend(root, backend);
  stageSite(root, site, backend);
  cpSync(join(root, 'packages', 'create-common-ink'), creator, { recursive: true });
  cpSync(join(root, 'LICENSE'), join(creator, 'LICENSE'));
  writeManifest(creator, published(readManifest(creator)));
  const names = stages.map((stage) => {
    try {
      const args = ['pack', '--json', '--pack-destination', to];
      const output = execFileSync('npm', args, { cwd: stage, encoding: 'utf8' });
      return (JSON.parse(output) as { filename: string }[])[0]?.filename ?? '';
    } catch (error) {
      throw new OperatorError(`npm could not pack ${basename(stage)}: ${(error as Error).message}`);
    }
  });
  rmSync(work, { recursive: true });
  return names;
}
