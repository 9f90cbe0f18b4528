/** Starts the real nginx, alone or before the static export of a site with the configuration that the export writes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExportFolder } from '#export/folder.ts';
import { readConfiguration } from '#server/configuration.ts';
import { exporterOf } from '../../scripts/export/exporter.ts';

/** Debian installs nginx outside the PATH of ordinary users. */
const SEARCHED = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`;
const nginxEnvironment = { ...process.env, PATH: SEARCHED };

export const hasNginx = (): boolean => spawnSync('nginx', ['-v'], { env: nginxEnvironment }).status === 0;

export interface ExportedSite {
  /** Exports what is published now; calls made meanwhile share the next run. */
  publish(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Exports the site of a running server, as `npm run export` does, and serves the export at `url`.
 * @param server the server's environment: port, data folder and more
 */
export async function serveExport(url: string, server: NodeJS.ProcessEnv): Promise<ExportedSite> {
  const folder = mkdtempSync(join(tmpdir(), 'common-ink-nginx-'));
  const directory = join(folder, 'www');
  const configuration = readConfiguration({ ...server, SITE_URL: url });
  const origin = configuration.ownAddress;
  const folderOfExport = await ExportFolder.open(directory);
  const exporter = exporterOf({ configuration, folder: folderOfExport, origin, islands: true, server: origin });
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  const publish = (): Promise<void> => {
    next ??= running.then(async () => {
      running = next ?? running;
      next = undefined;
      await exporter.run();
    });
    return next;
  };
  await publish();
  const nginx = await startNginx(
    folder,
    `include /etc/nginx/mime.types; include ${directory}/.common-ink/nginx.conf;`,
    url,
  );
  return {
    publish,
    async stop() {
      await exporter.close();
      await nginx.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts nginx with these settings of `http` and waits until it answers at `url`. */
export async function startNginx(folder: string, settings: string, url: string): Promise<{ stop(): Promise<void> }> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 256; }
    http { access_log off; ${temporary.join(' ')}
      ${settings} }`;
  writeFileSync(join(folder, 'nginx.conf'), configuration);
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], {
    env: nginxEnvironment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  for (;;) {
    if (child.exitCode !== null) throw new Error('nginx did not take its configuration.');
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    async stop() {
      child.kill('SIGQUIT');
      await ended;
    },
  };
}
