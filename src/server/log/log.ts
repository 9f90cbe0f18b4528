import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { format } from 'node:util';

export const LOG_FORMATS = ['text', 'json'] as const;
export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  /** Default: text on a terminal, JSON elsewhere. */
  readonly format: LogFormat | undefined;
  readonly level: LogLevel;
}

// Global, because the process has only one standard error stream (docs/decisions/002-rooms-and-no-globals.md).
let isJson = !process.stderr.isTTY;
let least = 0;

export function configureLog({ format: chosen, level }: LogSettings): void {
  isJson = (chosen ?? (process.stderr.isTTY ? 'text' : 'json')) === 'json';
  least = LOG_LEVELS.indexOf(level);
}

/** Ignores write errors on stdout and stderr, such as a full disk, which would otherwise end the process. */
export function surviveFullLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

export function log(level: LogLevel, message: string, error?: unknown): void {
  if (LOG_LEVELS.indexOf(level) < least) return;
  const time = new Date().toISOString();
  const request = requests.getStore();
  const detail = error === undefined ? undefined : redact(detailOf(error));
  const said = redact(message);
  const line = isJson
    ? JSON.stringify({ time, level, message: said, ...(request && { request }), ...(detail && { error: detail }) })
    : `${time} ${level} ${said}${request ? ` [${request}]` : ''}${detail ? (error instanceof Error ? '\n' : ' ') + detail : ''}`;
  process.stderr.write(`${line}\n`);
}

/** Logs a sentence for the operator at any log level, without redaction. The text format prints only the sentence. */
export function say(level: LogLevel, sentence: string): void {
  const time = new Date().toISOString();
  if (isJson) process.stderr.write(`${JSON.stringify({ time, level, message: sentence })}\n`);
  else (level === 'error' ? process.stderr : process.stdout).write(`${sentence}\n`);
}

const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : format(error));

export function captureConsole(): void {
  const levels = { log: 'info', info: 'info', debug: 'info', warn: 'warn', error: 'error' } as const;
  for (const [name, level] of Object.entries(levels)) {
    Reflect.set(console, name, (...args: unknown[]) => log(level, format(...args)));
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log('warn', warning.message));
}

const PERSONAL: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Query strings after a path or URL.
  [/((?:[a-z]+:\/\/|\/)[^\s?"'<>]*)\?[^\s"'<>)\]]+/gi, '$1?…'],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  [
    /\b(a_session_\w+|cookie|set-cookie|authorization|x-appwrite-(?:key|jwt|session)|secret|password|token|jwt)(["']?\s*[=:]\s*["']?)[^\s"',;}]+/gi,
    '$1$2…',
  ],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[a-z0-9-]+/gi, '…@…'],
];

/** Removes personal data and secrets from text: email addresses, query strings, cookies, tokens, passwords. */
export function redact(text: string): string {
  let left = text;
  for (const [pattern, replacement] of PERSONAL) left = left.replace(pattern, replacement);
  return left;
}

const requests = new AsyncLocalStorage<string>();

/** Runs `answer` with a request id, which is added to its log lines and to error responses (`X-Request-Id`). */
export function withRequestId(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const id = randomBytes(8).toString('hex');
  const writeHead = response.writeHead;
  response.writeHead = function writeNamedHead(this: ServerResponse, status: number, ...rest: unknown[]) {
    if (status >= 400) this.setHeader('X-Request-Id', id);
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  requests.run(id, answer, request, response);
}
