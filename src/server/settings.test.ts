import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SECTIONS } from './settings.ts';

const ROOT = join(import.meta.dirname, '../..');

const HEAD = `# Every variable of Common Ink except BACKUP_PASSPHRASE (docs/operating.md), with its default. All are optional.
# Every npm command reads a copy of this file named .env in the checkout. The environment overrides it.
`;

const FOR_TESTS = `
# --- tests ---
# Chromium for the end-to-end tests, when it is not where it is usually found.
CHROMIUM_PATH=
# \`all\`: every end-to-end test also with a remote Appwrite, behind the gateway and reached directly.
E2E=
# A real Appwrite for them in place of one that is played, its key, and the port that it sends mail to (tests/README.md).
E2E_APPWRITE_ENDPOINT=
E2E_APPWRITE_KEY=
E2E_MAIL_PORT=
# Seconds that the backend is away in the test of an outage (default 4).
OUTAGE_SECONDS=
`;

/** Breaks text into comment lines of at most 122 characters. */
const comment = (help: string) => help.replaceAll(/(.{1,120})(?: |$)/g, '# $1\n');

it('prints .env.example from the list of settings', async () => {
  const sections = Object.entries(SECTIONS).map(([title, settings]) => {
    const lines = Object.entries(settings).map(([name, it]) => `${comment(it.help)}${name}=${it.default ?? ''}\n`);
    return `\n# --- ${title} ---\n${lines.join('')}`;
  });
  await expect([HEAD, ...sections, FOR_TESTS].join('')).toMatchFileSnapshot(join(ROOT, '.env.example'));
});

const PAGE_HEAD = `# Settings

This page lists every environment variable of Common Ink except \`BACKUP_PASSPHRASE\` ([backup](operating.md#backup)). All are
optional. Every npm command also reads them from a file named \`.env\` in the checkout; the environment overrides it.
[.env.example](../.env.example) is such a file. The name, the look and the navigation of a site are in [theming](theming.md).
`;

it('prints docs/settings.md from the list of settings', async () => {
  const parts = Object.entries(SECTIONS).map(([title, settings]) => {
    const rows: { names: string[]; help: string }[] = [];
    for (const [name, it] of Object.entries(settings)) {
      const written = `\`${name}${it.default ? `=${it.default}` : ''}\``;
      const help = it.help
        .replaceAll(/\bdocs\/(\S+?)\.md/g, '[$1]($1.md)')
        .replaceAll(/[|<*]/g, '\\$&')
        .replaceAll(/https?:\/\/[^\s,)]*[^\s,).;:]/g, '`$&`');
      if (help === '') rows.at(-1)?.names.push(written);
      else rows.push({ names: [written], help });
    }
    const lines = rows.map(({ names, help }) => `| ${names.join('<br>')} | ${help} |\n`);
    return `\n## ${title.replace(/^./, (first) => first.toUpperCase())}\n\n| variable and default | |\n| --- | --- |\n${lines.join('')}`;
  });
  await expect([PAGE_HEAD, ...parts].join('')).toMatchFileSnapshot(join(ROOT, 'docs/settings.md'));
});
