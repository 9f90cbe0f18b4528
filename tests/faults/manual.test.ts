/**
 * Runs each command from docs/operating.md and docs/static-export.md, in the order of the pages, on a separate site.
 * Commands that need more than a test environment offers are checked in other ways. A command that this file does not
 * list fails the test.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { startMailServer, type TestMailServer } from 'embedded-appwrite/testing';
import { beforeAll, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseRedirects } from '#redirects/redirects-file.ts';
import { readConfiguration } from '#server/configuration.ts';
import { VARIABLES } from '#server/settings.ts';
import { RemoteAppwrite } from '../e2e/remote.ts';
import { RunningSite, removeSite } from '../e2e/site.ts';
import { sharedFolder } from '../support/folder.ts';
import { blocksOf, commandsOf } from '../support/manual.ts';
import { type Ended, ROOT, run as runProgram } from './tools.ts';

const PAGES = ['operating.md', 'static-export.md'];
const TOKEN = 'the-token-of-the-operator';
const folder = sharedFolder();
const inFolder = (name: string) => join(folder, name);
let mail: TestMailServer;
let site: RunningSite;
let appwrite: RemoteAppwrite;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  mail = await startMailServer();
  appwrite = new RemoteAppwrite('127.0.0.1', await freePort(), []);
  const port = await freePort();
  environment = {
    // Differs from the listening address, to test that the export uses the public URL.
    SITE_URL: `http://localhost:${port}`,
    REBUILD_TOKEN: TOKEN,
    ...{ SMTP_HOST: '127.0.0.1', SMTP_PORT: `${mail.port}`, MAIL_FROM: 'blog@example.com' },
  };
  site = new RunningSite(port, inFolder('site'), { environment });
  await Promise.all([site.start(), appwrite.start()]);
  environment = {
    ...environment,
    PORT: `${port}`,
    DATA_DIR: site.dataDirectory,
    // `npm run` sets this for the scripts that it runs. Setting it here makes npm itself use the cache as well.
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
  };
  await site.post(await site.writer(), { id: 'x' });
  expect((await fetch(`${site.url}/post/x`)).status).toBe(200);
  mkdirSync(inFolder('backups'));
  return () => Promise.all([removeSite(site), appwrite.remove(), mail.stop()]);
});

const newestBackup = () => {
  const names = readdirSync(inFolder('backups')).filter((name) => name.endsWith('.zip'));
  return join(inFolder('backups'), names.sort().at(-1) ?? '');
};

/** Replaces the page's example paths, addresses and ids with those of the test. */
const here = (command: string): string =>
  [
    [/\S*common-ink-2026-11-24T03-00-00Z\.zip/, () => newestBackup()],
    [/\/var\/backups\/common-ink/, () => inFolder('backups')],
    [/backup\.zip/, () => inFolder('backup.zip')],
    [/\/tmp\/restored/, () => inFolder('restored')],
    [/\/srv\/www\/blog/, () => inFolder('www')],
    [/^git clone REPOSITORY \/srv\/common-ink/, () => `git clone -q ${ROOT} ${inFolder('checkout')}`],
    [/common-ink: \/srv\/common-ink/, () => `${process.getuid?.()} ${inFolder('checkout')}`],
    [/-o common-ink /, () => ''],
    [/\/srv\/common-ink/, () => ROOT],
    [/\/etc\/systemd\/system\//, () => `${folder}/`],
    [/\/etc\//, () => `${folder}/`],
    [/SITE_URL=https:\/\/blog\.example\.com/, () => `SITE_URL=${environment.SITE_URL}`],
    [/http:\/\/127\.0\.0\.1:4321/, () => site.url],
    [/https:\/\/appwrite\.example\.com\/v1/, () => appwrite.target.endpoint],
    [/--project ID --key KEY/, () => `--project ${appwrite.target.projectId} --key ${appwrite.target.apiKey}`],
    [/^git pull/, () => `git -C ${inFolder('checkout')} pull -q`],
  ].reduce((text, [name, value]) => text.replace(name as RegExp, value as () => string), command);

/** Runs a command line and ends it once its output matches `until`. */
const run = (command: string, more: NodeJS.ProcessEnv = {}, until?: RegExp): Promise<Ended> =>
  runProgram('sh', ['-c', `exec ${command}`], {
    ...{ cwd: ROOT, until },
    env: { ...process.env, NODE_ENV: '', ...environment, ...more },
  });

/** Returns a check that runs the command as documented; adds `env` because `exec` accepts no variable assignments. */
const runs =
  (expected: string | RegExp = '', more: () => NodeJS.ProcessEnv = () => ({})) =>
  async (command: string) => {
    const assigned = /^((?:\w+=\S* )+)(.*)$/.exec(here(command));
    const { code, said } = await run(assigned ? `env ${assigned[1]}${assigned[2]}` : here(command), more());
    expect(code, said).toBe(0);
    expect(said).toMatch(expected);
  };

const ofAppwrite = () => ({
  APPWRITE_ENDPOINT: appwrite.target.endpoint,
  APPWRITE_PROJECT_ID: appwrite.target.projectId,
  APPWRITE_API_KEY: appwrite.target.apiKey,
});

type Try = (command: string) => Promise<void>;

const RUN: Readonly<Record<string, Try>> = {
  'npm start': async (command) => {
    const more = { PORT: `${await freePort()}`, DATA_DIR: inFolder('data'), SITE_URL: '' };
    expect(await run(command, more, /is ready/)).toMatchObject({ code: 0 });
  },
  'git clone REPOSITORY /srv/common-ink': runs(),
  'chown -R common-ink: /srv/common-ink': runs(),
  'install -d -o common-ink -m 0700 /var/backups/common-ink': runs(),
  'install -m 0600 /srv/common-ink/deploy/common-ink.env /etc/common-ink.env': runs(),
  'install -m 0644 /srv/common-ink/deploy/common-ink.service /etc/systemd/system/common-ink.service': runs(),
  'openssl rand -hex 32': runs(/^[0-9a-f]{64}\n$/),
  'npm run doctor -- mail you@example.com': async (command) => {
    await runs('accepted a mail')(command);
    expect(mail.offered).toEqual(['you@example.com']);
  },
  'npm run backup -- /var/backups/common-ink --keep 7d,4w,12m': runs(/\.zip: 1 documents/),
  'npm run backup -- /var/backups/common-ink --check': runs('The backup can be restored.'),
  'npm run --silent backup -- - > backup.zip': async (command) => {
    await runs(/^$/)(command);
    await runs('', () => ({ DATA_DIR: inFolder('piped') }))('npm run restore -- backup.zip');
  },
  'npm run restore -- /var/backups/common-ink/common-ink-2026-11-24T03-00-00Z.zip --check':
    runs('The backup can be restored.'),
  'npm run restore -- /var/backups/common-ink/common-ink-2026-11-24T03-00-00Z.zip --force': runs('to its state of'),
  'APPWRITE_ENDPOINT= DATA_DIR=/tmp/restored npm run restore -- /var/backups/common-ink/common-ink-2026-11-24T03-00-00Z.zip':
    runs('to its state of'),
  'APPWRITE_ENDPOINT= DATA_DIR=/tmp/restored npm run move -- --to https://appwrite.example.com/v1 --project ID --key KEY':
    async (command) => runs(/identical/)(command.replace('npm run', `PORT=${await freePort()} npm run`)),
  'git pull': runs(),
  'npm run doctor': runs('No problems found.'),
  'npm run doctor -- --fix': runs('No problems found.'),
  'npm run doctor -- --json': runs(/\n\[\]\n$/),
  'curl -fsS http://127.0.0.1:4321/readyz': runs('"status":"ready"'),
  'curl -fsS http://127.0.0.1:4321/metrics': runs('common_ink_posts 1'),
  'npm run pages -- /post/x': runs('state: current'),
  'curl -H "Authorization: Bearer $REBUILD_TOKEN" "$SITE_URL/api/pages?path=/post/x"': runs('"state":"current"'),
  'curl -X POST -H "Authorization: Bearer $REBUILD_TOKEN" -H \'Content-Type: application/json\' -d \'{"all":true}\' "$SITE_URL/api/rebuild"':
    runs('"/post/x"'),
  'npm run move -- --to https://appwrite.example.com/v1 --project ID --key KEY --dry-run': runs(),
  'npm run move -- --to https://appwrite.example.com/v1 --project ID --key KEY': runs(),
  'npm run provision -- --check': runs('', ofAppwrite),
  'SITE_URL=https://blog.example.com npm run export -- /srv/www/blog': async (command) => {
    await runs()(command);
    expect(existsSync(inFolder('www/post/x/index.html'))).toBe(true);
  },
  'SITE_URL=https://blog.example.com npm run export -- /srv/www/blog --watch': async (command) => {
    // `run` resolves only when every process of the command has closed its output.
    expect((await run(`env ${here(command)}`, {}, /Watching/)).said).toContain('Watching');
  },
  'journalctl -u common-ink -o cat | jq -c \'select(.request == "5f0c2d1a9e3b7c44")\'': async (command) => {
    const lines = '{"request":"5f0c2d1a9e3b7c44","message":"this"}\n{"message":"another"}';
    const [, filter = ''] = command.split(' | ');
    const { stdout, error } = spawnSync('sh', ['-c', filter], { input: lines, encoding: 'utf8' });
    if (has('jq')) expect([error, stdout]).toEqual([undefined, '{"request":"5f0c2d1a9e3b7c44","message":"this"}\n']);
  },
};

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Checks that the command knows its options: adds an invalid one and expects the usage, with no other complaint. */
const readsOptions =
  (wrong: string): Try =>
  async (command) => {
    const { code, said } = await run(`${command}${command.includes(' -- ') ? '' : ' --'} ${wrong}`);
    expect([code, said]).toEqual([1, expect.stringContaining('Usage:')]);
    expect(said).not.toContain('Unknown option');
  };

const unit = async () => {
  const text = readFileSync(join(ROOT, 'deploy', 'common-ink.service'), 'utf8');
  expect(text).toContain('EnvironmentFile=/etc/common-ink.env\n');
  if (!has('systemd-analyze')) return;
  // In a copy of the unit, replaces npm and removes the user and working directory: this machine may lack all three.
  const file = inFolder('verified.service');
  writeFileSync(file, text.replace('/usr/bin/npm', '/bin/sh').replace(/^(?:User|Group|WorkingDirectory)=.*\n/gm, ''));
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect([status, stderr.split('\n').filter((line) => line.includes('verified.service'))]).toEqual([0, []]);
};

const compose = async (command: string) => {
  const file = parseYaml(readFileSync(join(ROOT, 'deploy', 'compose.yaml'), 'utf8')) as {
    readonly services: Readonly<Record<string, { readonly build?: { readonly dockerfile: string } }>>;
  };
  expect(existsSync(join(ROOT, file.services.site?.build?.dockerfile ?? ''))).toBe(true);
  const [, service, script] = / (?:exec|run --rm) (\w+) node (\S+)/.exec(command) ?? [];
  if (service && script) expect([service in file.services, existsSync(join(ROOT, script))]).toEqual([true, true]);
};

/** Checks nothing. In `CHECKED`, the text before it names what the command requires. */
const untried = async () => {};

const SYSTEMD = 'a unit of systemd, which a test cannot start';
const ENGINE = 'an engine that runs containers, and minutes to build one';
const RELEASE = 'another release, which upgrade.test.ts has';

/** Commands that the test cannot run, each with its missing requirement and the check made in place of a run. */
const CHECKED: Readonly<Record<string, readonly [needs: string, check: Try]>> = {
  'useradd --system --home-dir /srv/common-ink common-ink': ['root', untried],
  'systemctl enable --now common-ink': [SYSTEMD, unit],
  'journalctl -u common-ink -f': [SYSTEMD, unit],
  'systemd-run --pty --quiet --collect --uid=common-ink -p EnvironmentFile=/etc/common-ink.env -p WorkingDirectory=/srv/common-ink bash':
    [SYSTEMD, untried],
  'SITE_HOST=blog.example.com docker compose -f deploy/compose.yaml up -d': [ENGINE, compose],
  'docker compose -f deploy/compose.yaml exec site node scripts/backup.ts /backups': [ENGINE, compose],
  'docker compose -f deploy/compose.yaml stop site': [ENGINE, compose],
  'docker compose -f deploy/compose.yaml run --rm site node scripts/restore.ts /backups/common-ink-2026-11-24T03-00-00Z.zip --force':
    [ENGINE, compose],
  'docker compose -f deploy/compose.yaml start site': [ENGINE, compose],
  'buildah build --format docker -t common-ink -f deploy/Containerfile .': [ENGINE, untried],
  'podman run -d --name common-ink -p 127.0.0.1:4321:4321 -v common-ink:/data --read-only --tmpfs /tmp -e SITE_URL=https://blog.example.com common-ink':
    [ENGINE, untried],
  'podman stop -t 20 common-ink': [ENGINE, untried],
  'systemctl stop common-ink': [SYSTEMD, () => site.stop()],
  'systemctl start common-ink': [SYSTEMD, () => site.start()],
  'systemctl restart common-ink': [SYSTEMD, unit],
  'npm run upgrade': [RELEASE, readsOptions('--watch never')],
  'npm run upgrade -- --to v1.2.0': [RELEASE, readsOptions('--watch never')],
  'npm run doctor -- --updates': [RELEASE, readsOptions('--updates=never')],
  'npm run rollback': [RELEASE, readsOptions('--watch never')],
  'systemd-run --pty --quiet --collect -p EnvironmentFile=/etc/common-ink.env -p WorkingDirectory=/srv/common-ink bash':
    [SYSTEMD, untried],
  'npm run upgrade -- --restart "systemctl restart common-ink"': [RELEASE, readsOptions('--watch never')],
  'npm run rollback -- --restart "systemctl restart common-ink"': [RELEASE, readsOptions('--watch never')],
  'npm run build': [
    'a build that no other test serves at that moment',
    async () => expect(existsSync(join(ROOT, 'scripts', 'build.ts'))).toBe(true),
  ],
};

const LANGUAGES: Readonly<Record<string, (text: string) => unknown>> = {
  ini(text) {
    const lines = text
      .replace('=KEY', '=a-key-of-that-one')
      .replace('<the same everywhere>', 'a-secret-of-all-of-them');
    const pairs = lines.trim().split('\n');
    const settings = Object.fromEntries(pairs.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    for (const name of Object.keys(settings)) expect(VARIABLES).toContain(name);
    // `PEERS` (several instances) requires a remote Appwrite, which the page describes later.
    const shared = 'PEERS' in settings ? { APPWRITE_ENDPOINT: 'http://127.0.0.1:9/v1' } : {};
    readConfiguration({ DATA_DIR: inFolder('settings'), ...shared, ...settings });
  },
  caddy(text) {
    const file = inFolder('Caddyfile');
    writeFileSync(file, text);
    if (!has('caddy')) return;
    const { stdout } = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile'], { encoding: 'utf8' });
    expect(stdout).toContain('"dial":"127.0.0.1:4321"');
  },
  yaml(text) {
    const { rule_files: rules, scrape_configs: scraped } = parseYaml(text) as {
      readonly rule_files: readonly string[];
      readonly scrape_configs: readonly { readonly job_name: string }[];
    };
    const [alerts = ''] = rules;
    const text2 = readFileSync(alerts.replace('/srv/common-ink', ROOT), 'utf8');
    expect(text2).toContain(`job="${scraped[0]?.job_name}"`);
  },
  text(text) {
    expect(parseRedirects(text).faults).toEqual([]);
  },
};

for (const page of PAGES) {
  for (const [at, block] of blocksOf(page).entries()) {
    if (block.language === 'sh') {
      for (const command of commandsOf(block)) {
        test(`${page}: ${command}`, async () => {
          const attempt = RUN[command] ?? CHECKED[command]?.[1];
          if (!attempt) throw new Error(`Nobody has tried "${command}": add it to RUN, or to CHECKED and say why.`);
          await attempt(command);
        });
      }
    } else if (block.language !== 'nginx') {
      // behind-nginx.spec.ts tests the nginx blocks by serving a site behind them.
      test(`${page}: block ${at + 1}, ${block.language}, can be used`, async () => {
        const check = LANGUAGES[block.language];
        if (!check) throw new Error(`Nobody has tried a block of "${block.language}".`);
        await check(block.text);
      });
    }
  }
}

test('every command that is tried is on a page', () => {
  const blocks = PAGES.flatMap(blocksOf).filter(({ language }) => language === 'sh');
  const commands = blocks.flatMap(commandsOf);
  expect([...Object.keys(RUN), ...Object.keys(CHECKED)].filter((command) => !commands.includes(command))).toEqual([]);
});
