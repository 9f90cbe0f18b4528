/** `docs/commands.md` is generated from the commands’ own comments (`vitest run scripts/commands.test.ts -u`). */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMATS } from '#transfer/formats.ts';
import packageFile from '../package.json' with { type: 'json' };

const HEAD = `# Commands

This page lists every npm command with its options. Run commands in the checkout, with the server's
[settings](settings.md) and as its user. Options come after two hyphens: \`npm run backup -- --check\`.
`;
const DEVELOPMENT = [
  'test',
  'dev',
  'build',
  'check',
  'docs',
  'film',
  'release',
  'words',
  'conformance',
  'faults',
  'bench',
  'attack',
];

const sourceOf = (name: string) => join(import.meta.dirname, `${name}.ts`);
const commands = Object.entries(packageFile.scripts).filter(([name]) => existsSync(sourceOf(name)));

/** Returns a command's part of the page: its name, its usage text, and the comment at the top of its script. */
function partOf(name: string): string {
  const source = readFileSync(sourceOf(name), 'utf8');
  const comment =
    /^\/\*\*(.*?)\*\//s
      .exec(source)?.[1]
      ?.replace(/\s*\n \* ?|\s+$/g, ' ')
      .trim() ?? '';
  const [, called = '', first = '', words = ''] = /^`(npm [^`]+)`: (.)(.*)$/s.exec(comment) ?? expect.fail(name);
  const usage = /^const USAGE = (['`])(.*?)\1;/ms
    .exec(source)?.[2]
    ?.replace(/\$\{Object.keys\(FORMATS\)[^}]*\}/, Object.keys(FORMATS).join(', '));
  expect(usage ?? '', `${name}: the usage text must not be computed`).not.toContain('${');
  const lines = (usage ?? called)
    .replace(/^.*?(?=npm run)/, '')
    .replaceAll(/^ {7}(?=npm)/gm, '')
    .trimEnd();
  const text = `${first.toUpperCase()}${words}`.replaceAll(/\bdocs\/(\S+?\.md)/g, '[$1]($1)');
  return `\n### ${called.split(' -- ')[0]?.split(' [')[0]}\n\n${text}\n\n\`\`\`\n${lines}\n\`\`\`\n`;
}

it('prints docs/commands.md from the scripts', async () => {
  const names = commands.map(([name]) => name);
  const forUse = names.filter((name) => !DEVELOPMENT.includes(name));
  const short = Object.entries(packageFile.scripts).filter(([name]) => !names.includes(name));
  const page = [
    HEAD,
    '\n## For running a site\n',
    ...forUse.map(partOf),
    '\n## For development\n',
    ...DEVELOPMENT.map(partOf),
    '\n### Short forms\n\n',
    ...short.map(([name, line]) => `- \`npm run ${name}\` runs \`${line}\`.\n`),
  ].join('');
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../docs/commands.md'));
});
