import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Debian installs nginx in a folder that is not in the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

export const hasNginx = (): boolean => spawnSync('nginx', ['-v'], { env }).status === 0;

/** Starts nginx with `settings` in its `http` block and `outside` before the block. Waits until `url` responds. */
export async function startNginx(folder: string, settings: string, url: string, outside = '') {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = kinds.map((name) => `${name}_temp_path ${folder}/${name};`);
  const configuration = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''} ${outside}
    events { worker_connections 256; }
    http { access_log off; ${temporary.join(' ')}
      ${settings} }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const given = ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const child = spawn('nginx', given, { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'exit');
  for (;;) {
    if (child.exitCode !== null) throw new Error('nginx did not take its configuration.');
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const stop = async () => {
    child.kill('SIGQUIT');
    await ended;
  };
  return { stop, [Symbol.asyncDispose]: stop };
}
