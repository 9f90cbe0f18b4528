/**
 * Damages a file of a stopped site's data folder, starts the site, and reports what readers, the operator and the
 * doctor see.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { OperatorError } from '#blog/errors.ts';
import { examine } from '#operations/doctor/examine.ts';
import { readConfiguration } from '#server/configuration.ts';
import { doctorSite } from '../../scripts/doctor/doctor-site.ts';
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from '../support/backend-process.ts';

/** An answer, a start or an end that takes longer counts as a hang. */
const PATIENCE_MS = 20_000;
export interface Sound {
  readonly folder: string;
  /** WAL files of the database and the index from an earlier run, by the path of their file in the folder. */
  readonly oldLogs: ReadonlyMap<string, Buffer>;
  /** The sound site's answers by path. */
  readonly answers: ReadonlyMap<string, Buffer>;
  readonly documents: string;
}

type Damage = (path: string, sound: Sound, name: string) => void;

function overwrite(path: string, share: number, bytes: Buffer): void {
  const { size } = statSync(path);
  const descriptor = openSync(path, 'r+');
  const length = Math.min(bytes.length, size);
  writeSync(descriptor, bytes, 0, length, Math.floor((size - length) * share));
  closeSync(descriptor);
}

const garbage = (length: number): Buffer => Buffer.alloc(length, 'nothing of the kind \u0001');
const DAMAGES: Readonly<Record<string, Damage>> = {
  missing: (path) => rmSync(path),
  empty: (path) => truncateSync(path, 0),
  'cut to one byte': (path) => truncateSync(path, 1),
  'last byte lost': (path) => truncateSync(path, Math.max(0, statSync(path).size - 1)),
  'garbage in the middle': (path) => overwrite(path, 0.5, garbage(8192)),
  'a hole of zeros': (path) => overwrite(path, 0.4, Buffer.alloc(8192)),
  'an old log beside it': (path, { oldLogs }, name) => {
    writeFileSync(`${path}-wal`, oldLogs.get(name) ?? '');
    writeFileSync(`${path}-shm`, garbage(32_768));
  },
};

export interface Seen {
  readonly start: 'ready' | 'refused' | 'HANG';
  /** Messages above `info`, and the reason why the server ended. */
  readonly said: string;
  /** `right`, or what was wrong, by address. */
  readonly reader: string;
  /** Status of `/readyz` and the damage it reports. */
  readonly ready: string;
  /** Ids of the doctor's findings about files, while the server runs or after it refused to start. */
  readonly doctor: readonly string[];
  /** Compares the backend's content with that before the damage. */
  readonly documents: 'same' | 'OTHER' | 'unread';
}

/** Findings that follow from the test's surroundings, not from the damage. */
const ALWAYS = /^(?:process\.none|backups\.none|build\.|configuration\.|dns\.|tls\.|proxy\.)/;
/** Pages contain this address, whichever port serves them. */
export const SITE_URL = 'http://127.0.0.1:4321';

async function answerOf(url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: Buffer }> {
  const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

/** Reads every document and user. */
export async function documentsAt(origin: string, key: string): Promise<string> {
  const headers = { 'x-appwrite-project': 'common-ink', 'x-appwrite-key': key };
  const texts: string[] = [];
  for (const path of ['databases/blog/collections/articles/documents', 'users', 'storage/buckets/media/files']) {
    const { status, body } = await answerOf(`${origin}/v1/${path}`, headers);
    if (status !== 200) return '';
    texts.push(body.toString());
  }
  return texts.join('\n');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  child.kill('SIGTERM');
  await ended;
  clearTimeout(impatience);
}

async function readersView(origin: string, { answers }: Sound): Promise<string> {
  const wrong: string[] = [];
  // Reads twice: a stored page is served once before it is compared with the backend.
  for (let turn = 0; turn < 2; turn++) {
    for (const [path, right] of answers) {
      try {
        const { status, body } = await answerOf(origin + path);
        if (status !== 200) wrong.push(`${path}: ${status}`);
        else if (!body.equals(right)) wrong.push(`${path}: WRONG`);
      } catch (error) {
        wrong.push(`${path}: ${(error as Error).name === 'TimeoutError' ? 'HANG' : 'no answer'}`);
      }
    }
  }
  return [...new Set(wrong)].join(', ') || 'right';
}

async function findsOf(environment: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    return (await examine(await doctorSite(readConfiguration(environment), environment))).map(({ id }) => id);
  } catch (error) {
    if (error instanceof OperatorError) return ['settings'];
    throw error;
  }
}

/**
 * Restores the folder `data` from the sound one, damages `file` in it, starts `entry` on it, and observes the result.
 */
export async function damageAndLook(
  sound: Sound,
  { data, file, kind, entry }: { data: string; file: string; kind: string; entry: string },
): Promise<Seen> {
  rmSync(data, { recursive: true, force: true });
  cpSync(sound.folder, data, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const path = join(data, file);
  DAMAGES[kind]?.(path, sound, file);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const environment = { PORT: `${port}`, DATA_DIR: data, LOG_FORMAT: 'text', SITE_URL, EMBEDDED_RATE_LIMITS: 'off' };
  const child = spawn(process.execPath, [...SERVICE_FLAGS, entry], {
    env: { PATH: process.env.PATH, ...SERVICE_ENVIRONMENT, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const start = await new Promise<Seen['start']>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('is ready')) resolve('ready');
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => resolve('refused'));
    setTimeout(resolve, PATIENCE_MS, 'HANG').unref();
  });
  try {
    const reader = start === 'ready' ? await readersView(origin, sound) : 'nothing';
    const readiness = start === 'ready' ? await answerOf(`${origin}/readyz`) : undefined;
    const { damage } = JSON.parse(readiness?.body.toString() || '{}') as { readonly damage?: string };
    const found = await findsOf(environment);
    const key = textOf(join(data, 'server-key'));
    const held = start === 'ready' && key ? await documentsAt(origin, key).catch(() => '') : '';
    return {
      start,
      said: output
        .split('\n')
        .filter((line) => start === 'refused' || /\b(?:warn|error)\b/i.test(line))
        .join('\n')
        .trim(),
      reader,
      ready: readiness ? `${readiness.status}${damage ? ` ${damage}` : ''}` : '',
      doctor: found.filter((id) => !ALWAYS.test(id)),
      documents: held === '' ? 'unread' : held === sound.documents ? 'same' : 'OTHER',
    };
  } finally {
    await stop(child);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

/** Judges the observations in one word: `silent` if something is missing or wrong and nothing reports it. */
export function verdictOf({ start, said, reader, ready, doctor, documents }: Seen): string {
  if (start === 'HANG' || reader.includes('HANG')) return 'HANG';
  const isTold = said !== '' || doctor.length > 0 || ready.startsWith('503');
  if (start === 'refused') return /^\s+at /m.test(said) || said === '' ? 'CRASH' : 'refused';
  if (reader.includes('WRONG') || documents === 'OTHER') return isTold ? 'told, WRONG' : 'SILENT, WRONG';
  if (reader !== 'right') return isTold ? 'told' : 'SILENT';
  return isTold ? 'told, all is shown' : 'all is shown';
}
