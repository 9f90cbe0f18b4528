/** Sets the version of a release in every manifest and in the changelog. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '#blog/errors.ts';

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
}

function edit<Content>(file: string, change: (content: Content) => void): void {
  const content: Content = JSON.parse(readFileSync(file, 'utf8'));
  change(content);
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** Sets `version` for the product and its workspaces, which are released together. */
export function setVersion(root: string, version: string): void {
  const files = globSync('packages/*/package.json', { cwd: root });
  const names = files.map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')).name as string);
  const set = (manifest: Manifest) => {
    manifest.version = version;
    for (const name of names) if (manifest.dependencies?.[name]) manifest.dependencies[name] = version;
  };
  for (const file of ['package.json', ...files]) edit(join(root, file), set);
  edit<Manifest & { packages: Record<string, Manifest> }>(join(root, 'package-lock.json'), (lock) => {
    lock.version = version;
    for (const [path, manifest] of Object.entries(lock.packages)) if (!path.includes('node_modules')) set(manifest);
  });
}

/**
 * Replaces “not yet released” in the section of `version` with `day`.
 * @returns the changed changelog, and the text of the section
 * @throws OperatorError if there is no such section
 */
export function dateChangelog(changelog: string, version: string, day: string): { changelog: string; notes: string } {
  const chapters = changelog.split(/^(?=## )/m);
  const at = chapters.findIndex((chapter) => chapter.startsWith(`## ${version} (not yet released)`));
  const [heading = '', ...lines] = (chapters[at] ?? '').split('\n');
  const notes = lines.join('\n').trim();
  if (!notes)
    throw new OperatorError(
      `CHANGELOG.md has no chapter “## ${version} (not yet released)” with a text. Write what users will notice.`,
    );
  chapters[at] = [heading.replace('not yet released', day), ...lines].join('\n');
  return { changelog: chapters.join(''), notes };
}
