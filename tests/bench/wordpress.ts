/**
 * WordPress as Debian packages it (`apt install wordpress php-cli php-mysql mariadb-server`), installed into a folder with
 * a database server of its own: for the bench that looks at others. What PHP answers goes out compressed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { freePort } from '@common-ink/http/free-port.ts';

const PACKAGE = '/usr/share/wordpress';
const STEPS = 300;

export interface WordPress {
  readonly name: string;
  /** Address of the post. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Addresses are those that it is asked by, so that all of a page comes through the compressing door. */
const configuration = (socket: string) => `<?php
define('DB_NAME', 'wordpress'); define('DB_USER', 'root'); define('DB_PASSWORD', ''); define('DB_HOST', 'localhost:${socket}');
define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', ''); $table_prefix = 'wp_';
define('WP_HOME', 'http://' . $_SERVER['HTTP_HOST']); define('WP_SITEURL', WP_HOME);
define('DISABLE_WP_CRON', true); define('WP_HTTP_BLOCK_EXTERNAL', true);
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`;

const installation = (title: string, html: string) => `<?php
define('WP_INSTALLING', true); $_SERVER['HTTP_HOST'] = '127.0.0.1';
require __DIR__ . '/wp-load.php'; require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Common Ink', 'writer', 'writer@example.com', true, '', 'Correct-horse-1');
echo wp_insert_post(['post_title' => ${phpText(title)}, 'post_content' => ${phpText(html)}, 'post_status' => 'publish', 'post_author' => 1]);
`;

const phpText = (text: string): string => `base64_decode('${Buffer.from(text).toString('base64')}')`;

/** @throws Error with a sentence where a package is missing or a step fails */
export async function startWordPress(folder: string, title: string, html: string): Promise<WordPress> {
  if (!existsSync(PACKAGE)) throw new Error('the Debian package wordpress is not installed');
  const root = join(folder, 'wordpress');
  execFileSync('cp', ['-rL', PACKAGE, root]);
  const started: ChildProcess[] = [];
  const stop = async () => {
    for (const child of started.toReversed()) {
      if (child.exitCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
  };
  try {
    const socket = await database(folder, started);
    writeFileSync(join(root, 'wp-config.php'), configuration(socket));
    writeFileSync(join(root, 'install.php'), installation(title, html));
    const printed = execFileSync('php', ['install.php'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const id = /\d+$/.exec(printed)?.[0];
    if (!id) throw new Error(`it made no post: ${printed.slice(0, 200)}`);
    const port = await freePort();
    const php = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', root], { stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(php);
    if (php.stderr) await once(php.stderr, 'data');
    php.stderr?.resume();
    const door = compressing(port).listen(0, '127.0.0.1');
    await once(door, 'listening');
    const version = /wp_version = '([^']+)'/.exec(
      execFileSync('cat', [join(root, 'wp-includes', 'version.php')], { encoding: 'utf8' }),
    )?.[1];
    return {
      name: `WordPress ${version}, Twenty Twenty-Three`,
      url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/?p=${id}`,
      stop: async () => {
        door.close();
        door.closeAllConnections();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A database server without a password, which no network reaches. Gives its socket. */
async function database(folder: string, started: ChildProcess[]): Promise<string> {
  const data = join(folder, 'database');
  const socket = join(folder, 'database.sock');
  const own = ['--no-defaults', `--datadir=${data}`];
  execFileSync('mariadb-install-db', [...own, '--auth-root-authentication-method=normal'], { stdio: 'ignore' });
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const server = spawn(
    'mariadbd',
    [...own, ...user, `--socket=${socket}`, '--skip-networking', '--skip-grant-tables'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  started.push(server);
  let said = '';
  for await (const chunk of server.stderr ?? []) {
    said += String(chunk);
    if (said.includes('ready for connections')) break;
  }
  if (!existsSync(socket)) throw new Error(`the database does not start: ${said.slice(-STEPS)}`);
  execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '-e', 'CREATE DATABASE wordpress']);
  return socket;
}

function compressing(port: number) {
  return createServer((asked, answer) => {
    const { 'accept-encoding': _, ...headers } = asked.headers;
    const passed = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, async (got) => {
      const chunks: Buffer[] = [];
      for await (const chunk of got) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const isText = /text|script|json|svg|xml/.test(got.headers['content-type'] ?? '');
      const { 'content-length': __, 'transfer-encoding': ___, connection: ____, ...kept } = got.headers;
      answer.writeHead(got.statusCode ?? 502, { ...kept, ...(isText && { 'content-encoding': 'br' }) });
      answer.end(isText ? brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }) : body);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
}
