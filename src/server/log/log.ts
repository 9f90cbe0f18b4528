/** The one place where the server says what an operator should know: a line each, on standard error. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { format } from 'node:util';
import { redact } from './redact.ts';

export const LOG_FORMATS = ['text', 'json'] as const;
export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogSettings {
  /** Undefined: text on a terminal, JSON elsewhere. */
  readonly format: LogFormat | undefined;
  /** The least that is said. */
  readonly level: LogLevel;
}

// The log is the process's own, as its standard error is (docs/decisions/002-rooms-and-no-globals.md).
let isJson = !process.stderr.isTTY;
let least = 0;

/** Says how lines look from now on. */
export function configureLog({ format: chosen, level }: LogSettings): void {
  isJson = (chosen ?? (process.stderr.isTTY ? 'text' : 'json')) === 'json';
  least = LOG_LEVELS.indexOf(level);
}

/** A log on a full disk loses lines; by itself, a stream that failed would end the process. */
export function surviveFullLog(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** One line per event: time, level, message, the request's id where there is one, and an error's stack (in text, below it). */
export function log(level: LogLevel, message: string, error?: unknown): void {
  if (LOG_LEVELS.indexOf(level) < least) return;
  const time = new Date().toISOString();
  const request = requests.getStore()?.id;
  const detail = error === undefined ? undefined : redact(detailOf(error));
  const said = redact(message);
  const line = isJson
    ? JSON.stringify({ time, level, message: said, ...(request && { request }), ...(detail && { error: detail }) })
    : `${time} ${level} ${said}${request ? ` [${request}]` : ''}${separated(error, detail)}`;
  process.stderr.write(`${line}\n`);
}

/**
 * A sentence for whoever has just started the server, whatever the level: as it is, links with their queries included. Where
 * programs read it is an event like others.
 */
export function say(level: LogLevel, sentence: string): void {
  const time = new Date().toISOString();
  if (isJson) process.stderr.write(`${JSON.stringify({ time, level, message: sentence })}\n`);
  else (level === 'error' ? process.stderr : process.stdout).write(`${sentence}\n`);
}

const detailOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : format(error));

function separated(error: unknown, detail: string | undefined): string {
  if (detail === undefined) return '';
  return error instanceof Error ? `\n${detail}` : ` ${detail}`;
}

/** Pages and packages that use the console, and warnings of Node, go the same way as all others. */
export function captureConsole(): void {
  const levels = { log: 'info', info: 'info', debug: 'info', warn: 'warn', error: 'error' } as const;
  for (const [name, level] of Object.entries(levels)) {
    Reflect.set(console, name, (...args: unknown[]) => log(level, format(...args)));
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log('warn', warning.message));
}

/** What a request is known by in the log. */
class RequestName {
  #id: string | undefined;

  /** Made when it is asked for first: few requests are spoken of. */
  get id(): string {
    this.#id ??= randomBytes(8).toString('hex');
    return this.#id;
  }
}

const requests = new AsyncLocalStorage<RequestName>();

/**
 * Runs `answer`; whatever is logged meanwhile, or follows from it, says the request's id, and so does an answer that is an
 * error (`X-Request-Id`).
 */
export function withRequestId(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const name = new RequestName();
  const writeHead = response.writeHead;
  response.writeHead = function writeNamedHead(this: ServerResponse, status: number, ...rest: unknown[]) {
    if (status >= 400) this.setHeader('X-Request-Id', name.id);
    return Reflect.apply(writeHead, this, [status, ...rest]) as ServerResponse;
  } as typeof writeHead;
  requests.run(name, answer, request, response);
}
