#!/usr/bin/env node
// `npm create common-ink my-blog`: asks for a name, a language and an address, and creates a folder that contains only
// settings and data. Common Ink is an npm dependency of that folder, so an upgrade only changes a version number. This
// script is plain JavaScript, so it also runs on versions of Node.js that cannot run TypeScript.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm create common-ink [FOLDER] [-- --name NAME --language en|de --address URL --yes --no-install]
--address  the address that readers will use, such as https://blog.example.com
--yes      asks nothing and uses the defaults for anything not given`;

const LANGUAGES = ['en', 'de'];
const COMMANDS = [
  ...['owner', 'seed', 'import', 'export', 'backup', 'restore', 'move', 'provision', 'upgrade', 'doctor', 'sync'],
  ...['subscribers', 'pages'],
];

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function readArguments() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...{ name: text, language: text, address: text, 'common-ink': text },
        ...{ yes: flag, 'no-install': flag },
      },
    });
    if (positionals.length > 1) fail(USAGE);
    return { ...values, folder: positionals[0] };
  } catch (error) {
    return fail(`${error.message}\n${USAGE}`);
  }
}

/** Validators for the answers. Each returns a message that says what is wrong, or undefined if the answer is valid. */
const FAULTS = {
  folder(value) {
    const folder = resolve(value);
    if (existsSync(folder) && readdirSync(folder).length > 0)
      return `${folder} is not empty. Choose a new folder or an empty one.`;
  },
  name(value) {
    if (value.length > 80) return 'The name may have at most 80 characters.';
    if (/["\\\n]/.test(value)) return 'The name may not contain double quotes or backslashes.';
  },
  language(value) {
    if (!LANGUAGES.includes(value)) return `The language must be one of: ${LANGUAGES.join(', ')}.`;
  },
  address(value) {
    if (value && !/^https?:\/\/[^/?#@\s]+\/?$/.test(value))
      return 'The address must begin with https:// or http:// and have no path, such as https://blog.example.com.';
  },
};

async function readAnswers(given) {
  const answers = {};
  const lines = process.stdin.isTTY && !given.yes ? createInterface(process) : undefined;
  for (const [key, question, standard] of [
    ['folder', 'Folder', 'my-blog'],
    ['name', 'Name of the blog', 'My blog'],
    ['language', `Language of its pages (${LANGUAGES.join(', ')})`, 'en'],
    ['address', 'Address on the web, such as https://blog.example.com (empty: this machine)', ''],
  ]) {
    let answer = given[key];
    for (;;) {
      if (answer === undefined && lines)
        answer = (await lines.question(`${question}${standard && ` [${standard}]`}: `)).trim();
      answer ||= standard;
      const fault = FAULTS[key](answer);
      if (!fault) break;
      if (!lines) fail(fault);
      console.error(fault);
      answer = undefined;
    }
    answers[key] = answer;
  }
  lines?.close();
  return answers;
}

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const given = readArguments();
const { folder, name, language, address } = await readAnswers(given);
const root = resolve(folder);

const scripts = Object.fromEntries(COMMANDS.map((command) => [command, `common-ink ${command}`]));
const manifest = {
  name:
    basename(root)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+/, '') || 'blog',
  private: true,
  // `prestart` installs missing packages. `exec` replaces npm's shell with the server, so that signals reach the
  // server. Windows has no `exec`, so its shell runs the command after `||`.
  scripts: { prestart: 'npm install', start: 'exec common-ink start || common-ink start', ...scripts },
  dependencies: { 'common-ink': given['common-ink'] ?? version },
  allowScripts: { node: true },
};
const settings = `# Every setting is an environment variable; node_modules/common-ink/.env.example lists them all.
# Without the next two lines, the owner chooses name and language in the browser, at /site.
SITE_NAME="${name}"
SITE_LANGUAGE=${language}
${address ? `SITE_URL=${address.replace(/\/$/, '')}` : '# The address that readers use. Set it when the blog gets one.\n#SITE_URL=https://blog.example.com'}
`;
const readme = `# ${name}

    npm start             # serves the blog on http://127.0.0.1:4321
    npm run backup -- FILE
    npm run upgrade       # the next version of Common Ink, after a backup

Settings are in \`.env\`. Everything that the blog stores is in \`data/\`: back that folder up.
`;

mkdirSync(root, { recursive: true });
for (const [file, text] of Object.entries({
  'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
  '.env': settings,
  '.npmrc': 'audit=false\nfund=false\nupdate-notifier=false\nsave-exact=true\n',
  '.gitignore': 'node_modules/\ndata*/\n.env\n',
  'README.md': readme,
}))
  writeFileSync(join(root, file), text, { flag: 'wx', mode: file === '.env' ? 0o600 : 0o644 });

if (!given['no-install']) {
  console.log('Installing Common Ink …');
  const npm = process.env.npm_execpath;
  const [program, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status } = spawnSync(program, [...args, 'install', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: !npm && process.platform === 'win32',
  });
  if (status !== 0) fail(`The packages could not be installed. The folder is ready: run npm install in ${root} again.`);
}
console.log(
  `\n${name} is ready. Start it:\n\n    cd ${folder}\n    npm start\n\nThen open http://127.0.0.1:4321 and sign up.`,
);
