/** Checks the imports between rooms (the folders in docs/architecture.md), and that no files form an import cycle. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..', '..');
const SDKS = ['appwrite', 'node-appwrite'];
const HTTP = '@common-ink/http';
const BACKEND = 'embedded-appwrite';

/** Allowed imports per room: other rooms, paths in them, and packages that only some rooms may import. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'packages/http': [],
  'packages/embedded-appwrite': [HTTP, 'node:sqlite'],
  'src/api': [
    'src/publishing',
    'src/page-store',
    'src/blog',
    'src/backend/remote-pictures',
    'src/backend/people',
    'src/backend/passkeys',
    'src/backend/draft-links',
    HTTP,
  ],
  'src/blog': [],
  'src/backend': ['src/blog', ...SDKS],
  'src/components': ['src/blog'],
  'src/export': ['src/blog', 'src/redirects', HTTP],
  'src/islands': ['src/stores', 'src/components', 'src/blog'],
  'src/layouts': ['src/components', 'src/islands', 'src/blog'],
  'src/newsletter': ['src/blog'],
  'src/operations': ['src/backend', 'src/blog', BACKEND],
  'src/page-store': ['src/blog/routes', HTTP, 'node:sqlite'],
  'src/pages': ['src/layouts', 'src/components', 'src/islands', 'src/blog', 'src/backend/server', 'src/api'],
  'src/publishing': ['src/page-store', 'src/blog', HTTP],
  'src/redirects': ['src/blog'],
  'src/stores': ['src/backend/browser', 'src/blog'],
  'src/sync': ['src/backend', 'src/blog', 'src/transfer'],
  'src/transfer': ['src/backend', 'src/blog', 'src/redirects'],
  'src/server': ['src', HTTP, BACKEND],
  'src/worker': [],
  'src/middleware.ts': ['src', HTTP],
};
const GUARDED = [...SDKS, HTTP, BACKEND, 'node:sqlite'];

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
      const guarded = GUARDED.find((name) => isBelow(target, name));
      const isOwn = roomOf(target) !== undefined;
      if (!guarded && !isOwn) continue;
      if (isOwn && isBelow(target, room)) continue;
      if (ROOMS[room]?.some((allowed) => isBelow(target, allowed))) continue;
      found.push(`${file} imports ${target}; ${room} may import ${ROOMS[room]?.join(', ') || 'no other room'}.`);
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

const files = globSync('{src,packages/*/src}/**/*.{ts,tsx,astro}', { cwd: ROOT })
  .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
  .filter((file) => statSync(join(ROOT, file)).isFile() && existsSync(join(ROOT, file)))
  .sort();
const imports = new Map(files.map((file) => [file, importsOf(file)]));
const faults = [...trespasses(imports), ...circles(imports)];
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
