/**
 * Checks that imports between rooms follow the table in docs/architecture.md, that no files form an import cycle, and
 * that docs/rooms.svg matches the table. With `--draw`, redraws the picture first.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { readRooms } from './room-table.ts';
import { drawRooms } from './rooms-picture.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const SDKS = ['appwrite', 'node-appwrite'];
const HTTP = '@common-ink/http';
const BACKEND = 'embedded-appwrite';

const SQLITE = 'node:sqlite';
/** The name under which other rooms import each package. */
const PACKAGES: Readonly<Record<string, string>> = {
  'packages/http': HTTP,
  'packages/embedded-appwrite': BACKEND,
};
const RESERVED: Readonly<Record<string, readonly string[]>> = {
  'packages/embedded-appwrite': [SQLITE],
  'src/backend': SDKS,
  'src/page-store': [SQLITE],
};
const EVERYTHING = ['src', HTTP, BACKEND];

const table = readRooms();
const checked = table.filter(({ path }) => /^(src|packages)\//.test(path));
/** Allowed imports of each room: other rooms, paths in them, and packages that only some rooms may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    checked.map(({ path, imports, isFree }) => [
      path,
      isFree ? EVERYTHING : [...imports.map((name) => PACKAGES[name] ?? name), ...(RESERVED[path] ?? [])],
    ]),
  ),
  'src/middleware.ts': EVERYTHING,
};
const GUARDED = [...SDKS, HTTP, BACKEND, SQLITE];

const isBelow = (path: string, folder: string) =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}.`);
const roomOf = (file: string) => Object.keys(ROOMS).find((room) => isBelow(file, room));

function scriptOf(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return file.endsWith('.astro') ? (/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '') : text;
}

function importsOf(file: string): string[] {
  return ts.preProcessFile(scriptOf(file), true, true).importedFiles.map(({ fileName }) => {
    const name = fileName.replace(/\?.*$/, '');
    if (name.startsWith('#')) return join('src', name.slice(1));
    return name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name;
  });
}

function trespasses(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  for (const [file, targets] of imports) {
    const room = roomOf(file);
    if (!room) continue;
    for (const target of targets) {
      const isGuarded = roomOf(target) !== undefined || GUARDED.some((name) => isBelow(target, name));
      const allowed = ROOMS[room] ?? [];
      if (isGuarded && ![room, ...allowed].some((each) => isBelow(target, each)))
        found.push(`${file} imports ${target}; ${room} may import ${allowed.join(', ') || 'no other room'}.`);
    }
  }
  return found;
}

function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    const start = path.indexOf(file);
    if (start >= 0) found.push(`Circular imports: ${[...path.slice(start), file].join(' → ')}`);
    if (start >= 0 || done.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) if (imports.has(target)) visit(target);
    path.pop();
    done.add(file);
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

function staleness(): string[] {
  const file = join(ROOT, 'docs', 'rooms.svg');
  const drawn = drawRooms(table);
  if (process.argv.includes('--draw')) writeFileSync(file, drawn);
  if (existsSync(file) && readFileSync(file, 'utf8') === drawn) return [];
  return ['docs/rooms.svg does not show the table in docs/architecture.md. Run: node scripts/test/rooms.ts --draw'];
}

const files = globSync('{src,packages/*/src}/**/*.{ts,tsx,astro}', { cwd: ROOT })
  .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
  .sort();
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...trespasses(imports), ...circles(imports), ...staleness()];
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
