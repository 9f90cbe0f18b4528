import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Copies the build and renames one of its scripts, as a different build would. */
export function otherBuild(): { readonly build: string; readonly script: string } {
  mkdirSync('node_modules/.cache', { recursive: true });
  const build = mkdtempSync('node_modules/.cache/build-');
  cpSync('dist', build, { recursive: true });
  const folder = join(build, 'client/_astro');
  const script = readdirSync(folder).find((name) => /^AllPosts\..*\.js$/.test(name)) ?? '';
  const list = readdirSync(folder).find((name) => name.startsWith('writers-files.')) ?? '';
  const names = [
    [script, script.replace(/\.js$/, '2.js')],
    [list, list.replace(/\.json$/, '2.json')],
  ] as const;
  const text = ['server', 'client'].flatMap((part) =>
    readdirSync(join(build, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:m?js|json)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  for (const file of [...text, join(build, 'island-scripts.json')]) {
    const before = readFileSync(file, 'utf8');
    const after = names.reduce((code, [from, to]) => code.replaceAll(from, to), before);
    if (after !== before) writeFileSync(file, after);
  }
  for (const [from, to] of names) renameSync(join(folder, from), join(folder, to));
  rmSync(join(build, 'compressed'), { recursive: true });
  return { build, script: names[0][1] };
}
