/**
 * `npm run docs -- DIR [--url URL] [--edit URL]`: turns the documentation into a site, using the product's own import
 * and export, and writes it as files for any static host. A second run writes only changes.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { OperatorError } from '#blog/errors.ts';
import { LOGIN, SIGNUP } from '#blog/routes/paths.ts';
import { REDIRECTS_FILE } from '#redirects/redirects-file.ts';
import { VARIABLES } from '#server/settings.ts';
import type { Result } from '#transfer/write/write.ts';
import { readArguments, runCommand, TEXT } from './command.ts';
import { CHAPTERS } from './docs/contents.ts';
import { CONTENTS, stagePages } from './docs/stage.ts';
import { REPOSITORY } from './release/repository.ts';

const USAGE = `Usage: npm run docs -- DIR [--url URL] [--edit URL]
--url   the address that the site will have, such as https://docs.example.com
--edit  the address to which “Edit this page” appends a page's path (default: the repository in package.json)`;

const ROOT = join(import.meta.dirname, '..');
const DEFAULT_URL = 'http://localhost:4321';

/** Runs another command on the temporary site. @throws OperatorError with the command's output if it fails */
function runOnSite(env: NodeJS.ProcessEnv, script: string, ...args: readonly string[]): string {
  const file = join(ROOT, 'scripts', script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { env, encoding: 'utf8' });
  if (status !== 0) throw new OperatorError(`${stdout}${stderr}`.trim());
  return stdout.trim();
}

/** Returns the report's lines about everything that the import changed or left out. */
const faultsIn = (results: readonly Result[]): string[] =>
  results.flatMap(({ path, reason, notes, losses = [] }) =>
    [...(reason ? [reason] : []), ...notes, ...losses].map((fault) => `${path}: ${fault}`),
  );

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { url: TEXT, edit: TEXT }, 1);
  const [directory] = positionals;
  if (!directory) throw new OperatorError(USAGE);
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-docs-'));
  try {
    const [pages, data, report] = [join(folder, 'pages'), join(folder, 'data'), join(folder, 'report.json')];
    stagePages(pages, {
      ...{ root: ROOT, chapters: CHAPTERS, repository: REPOSITORY },
      edit: values.edit ?? (REPOSITORY && `${REPOSITORY}/edit/main`),
    });
    mkdirSync(data);
    for (const file of ['site.toml', 'site.css'])
      copyFileSync(join(import.meta.dirname, 'docs', file), join(data, file));
    // Redirects the pages for signing in and writing: other pages link to them, but this site has no accounts.
    const closed = [LOGIN, SIGNUP, '/all-posts', '/add-post'].map((path) => `${path} /${CONTENTS}\n`);
    writeFileSync(join(data, REDIRECTS_FILE), closed.join(''));
    const environment = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !VARIABLES.includes(name))),
      ...{ DATA_DIR: data, PORT: `${await freePort()}`, SITE_URL: values.url ?? DEFAULT_URL, WRITERS: 'members' },
    };
    runOnSite(environment, 'import.ts', 'markdown', pages, '--report', report);
    const faults = faultsIn(JSON.parse(readFileSync(report, 'utf8')) as Result[]);
    if (faults.length > 0) throw new OperatorError(faults.join('\n'));
    console.log(runOnSite(environment, 'export.ts', directory, '--readers'));
    // Replaces the lists of posts, which are empty because this site has no posts, with the table of contents.
    for (const list of ['', 'archive'])
      for (const form of ['', '.br', '.gz'])
        copyFileSync(join(directory, CONTENTS, `index.html${form}`), join(directory, list, `index.html${form}`));
    if (!values.url) console.log(`The pages give ${DEFAULT_URL} as their address. Set another one with --url.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
