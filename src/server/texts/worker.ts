/**
 * Processes long texts and all texts with code in a worker thread, one at a time, so that readers of stored pages do
 * not wait. Code is slow, because loading the patterns of one language can take a second. The main thread processes all
 * other texts.
 */
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { asWords } from '#blog/content/sanitise.ts';
import type { TextTasks } from '#blog/content/text-tasks.ts';
import { language } from '#blog/messages/language.ts';
import { log } from '../log/log.ts';
import { type FromTextThread, run, type TextThreadData, type ToTextThread } from './thread.ts';

export interface TextWorker extends TextTasks {
  /** Ends the thread. Any text still being processed is shown as plain text. */
  close(): Promise<void>;
}

/**
 * Maximum length of a text that is processed in the main thread, where it takes a few milliseconds at most. It is low
 * for `match`, because a search reads many texts.
 */
const SHORT: Readonly<Record<keyof TextTasks, number>> = {
  render: 20_000,
  forFeed: 20_000,
  excerpt: 20_000,
  match: 1_000,
};
const isShort = (task: keyof TextTasks, html: string): boolean => html.length <= SHORT[task] && !/<pre\b/i.test(html);

/**
 * Returns a job's cost; cheaper jobs run first. Texts for feeds and lists cost nothing, so that the many texts of one
 * list do not wait behind long pages.
 */
const costOf = ({ task, given: [html] }: ToTextThread): number => (task === 'render' ? html.length : 0);

const isSame = (one: ToTextThread, other: ToTextThread): boolean =>
  one.task === other.task && one.language === other.language && one.given.every((value, i) => value === other.given[i]);

/** Maximum total size of cached texts and results. They are reused if, for example, only a post's title changed. */
const CACHE_CHARACTERS = 1_000_000;

interface Made {
  readonly value: unknown;
  readonly characters: number;
}

/** Search matches are not cached, because searches read many texts, each for different words. */
const isRemembered = ({ task }: ToTextThread): boolean => task !== 'match';
const keyOf = ({ task, language, given: [html, ...rest] }: ToTextThread): string =>
  [task, language, ...rest, html].join('\n');

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const { html } = (value ?? {}) as { readonly html?: string };
  return html?.length ?? 0;
}

/** Time limit for one text. The longest texts take several seconds, and longer on a busy machine. */
const LONGEST_MS = 30_000;
/** Enough memory for the highlighting patterns of a few dozen languages and the parsed tree of one text. */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 384 };

interface Job extends ToTextThread {
  readonly cost: number;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens the worker. A text that crashes it or takes too long becomes plain text. @param module the thread's entry */
export function openTextWorker(
  module: URL,
  { longestMs = LONGEST_MS }: { readonly longestMs?: number } = {},
): TextWorker {
  const waiting: Job[] = [];
  const remembered = new LRUCache<string, Made>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ characters }, key) => key.length + characters,
  });
  let current: Job | undefined;
  let worker: Worker | undefined;
  let clock: NodeJS.Timeout | undefined;

  function thread(): Worker {
    if (worker) return worker;
    const started = new Worker(module, {
      workerData: { kind: 'texts' } satisfies TextThreadData,
      resourceLimits: LIMITS,
    });
    started.unref();
    started.on('message', (done: FromTextThread) => {
      const job = finish();
      if ('error' in done) job?.reject(done.error);
      else if (job) job.resolve(remember(job, done.value));
      next();
    });
    started.on('error', (error) =>
      log('error', 'The worker thread for long texts failed; a new one replaces it.', error),
    );
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const job = finish();
      job?.resolve(inWords(job));
      next();
    });
    worker = started;
    return started;
  }

  function finish(): Job | undefined {
    clearTimeout(clock);
    const job = current;
    current = undefined;
    return job;
  }

  function next(): void {
    if (current) return;
    current = waiting.shift();
    if (!current) return;
    const { task, given, language } = current;
    thread().postMessage({ task, given, language } satisfies ToTextThread);
    clock = setTimeout(() => {
      log('warn', `A text took more than ${longestMs / 1000} seconds (${task}). Only its words are shown.`);
      void worker?.terminate();
    }, longestMs).unref();
  }

  function ask(work: ToTextThread): Promise<unknown> {
    const same = [current, ...waiting].find((job) => job && isSame(job, work));
    if (same) return same.promise;
    const job: Job = { ...work, cost: costOf(work), ...Promise.withResolvers<unknown>() };
    const at = waiting.findIndex(({ cost }) => cost > job.cost);
    waiting.splice(at < 0 ? waiting.length : at, 0, job);
    next();
    return job.promise;
  }

  /** Caches a result. Failed texts are not cached, so that they are tried again. */
  function remember(work: ToTextThread, value: unknown): unknown {
    if (isRemembered(work)) remembered.set(keyOf(work), { value, characters: charactersIn(value) });
    return value;
  }

  async function here(work: ToTextThread): Promise<unknown> {
    return remember(work, await run(work));
  }

  function inWords({ task, given }: Job): Promise<unknown> {
    const [html, ...rest] = given;
    return run({ task, given: [asWords(html), ...rest] });
  }

  const wherever =
    <T extends keyof TextTasks>(task: T) =>
    (...given: Parameters<TextTasks[T]>): ReturnType<TextTasks[T]> => {
      const work = { task, given, language: language() } satisfies ToTextThread;
      const known = isRemembered(work) ? remembered.get(keyOf(work)) : undefined;
      const made = known ? Promise.resolve(known.value) : isShort(task, given[0]) ? here(work) : ask(work);
      return made as ReturnType<TextTasks[T]>;
    };

  return {
    render: wherever('render'),
    forFeed: wherever('forFeed'),
    excerpt: wherever('excerpt'),
    match: wherever('match'),
    async close() {
      await worker?.terminate();
    },
  };
}
