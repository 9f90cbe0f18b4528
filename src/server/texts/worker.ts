/**
 * Works on long texts in a thread of its own, one after the other, so that readers of stored pages do not wait for it. Code
 * goes there whatever its length: making one language's patterns ready can take a second. Short texts are done at once.
 */
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { asWords } from '#blog/content/sanitise.ts';
import type { TextTasks } from '#blog/content/text-tasks.ts';
import { log } from '../log/log.ts';
import { type FromTextThread, run, type TextThreadData, type ToTextThread } from './thread.ts';

export interface TextWorker extends TextTasks {
  /** What is under way ends in this thread. */
  close(): Promise<void>;
}

/** Characters of a text that takes this thread some milliseconds, whatever is in it. A search reads two dozen texts. */
const SHORT: Readonly<Record<keyof TextTasks, number>> = {
  render: 20_000,
  forFeed: 20_000,
  excerpt: 20_000,
  match: 1_000,
};
const isShort = (task: keyof TextTasks, html: string): boolean => html.length <= SHORT[task] && !/<pre\b/i.test(html);

/** Feeds and lists, which show many texts, before pages, which colour code. */
const costOf = ({ task, given: [html] }: ToTextThread): number => (task === 'render' ? html.length : 0);

const isSame = (one: ToTextThread, other: ToTextThread): boolean =>
  one.task === other.task && one.given.every((value, i) => value === other.given[i]);

/** Characters of texts, and of what was made of them, that are remembered: a page is rendered again for its title alone. */
const REMEMBERED = 1_000_000;

interface Made {
  readonly value: unknown;
  readonly characters: number;
}

/** Not what is searched: that is many texts, each asked for other words. */
const isRemembered = ({ task }: ToTextThread): boolean => task !== 'match';
const keyOf = ({ task, given: [html, ...rest] }: ToTextThread): string => [task, ...rest, html].join('\n');

function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const { html } = (value ?? {}) as { readonly html?: string };
  return html?.length ?? 0;
}

/** Milliseconds of the clock for one text: the longest take seconds, on a busy machine some more. */
const LONGEST_MS = 30_000;
/** Mebibytes: patterns of some dozen languages and the tree of one text. */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 384 };

interface Job extends ToTextThread {
  /** What costs less comes first: a chapter does not wait for a book. */
  readonly cost: number;
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * `module` works on texts when it is loaded in a thread, in `language`. The thread starts with the first long text. Of a
 * text at which it fails or takes too long, the words alone are shown.
 */
export function openTextWorker(
  module: URL,
  language: TextThreadData['language'],
  { longestMs = LONGEST_MS }: { readonly longestMs?: number } = {},
): TextWorker {
  const waiting: Job[] = [];
  const remembered = new LRUCache<string, Made>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ characters }, key) => key.length + characters,
  });
  let current: Job | undefined;
  let worker: Worker | undefined;
  let clock: NodeJS.Timeout | undefined;

  function thread(): Worker {
    if (worker) return worker;
    const started = new Worker(module, {
      workerData: { kind: 'texts', language } satisfies TextThreadData,
      resourceLimits: LIMITS,
    });
    started.unref();
    started.on('message', (done: FromTextThread) => {
      const job = finish();
      if ('error' in done) job?.reject(done.error);
      else if (job) job.resolve(remember(job, done.value));
      next();
    });
    started.on('error', (error) => log('error', 'The thread that works on long texts failed and is replaced.', error));
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
    const { task, given } = current;
    thread().postMessage({ task, given } satisfies ToTextThread);
    clock = setTimeout(() => {
      log('warn', `A text took more than ${longestMs / 1000} seconds (${task}). Its words alone are shown.`);
      void worker?.terminate();
    }, longestMs).unref();
  }

  function ask(work: ToTextThread): Promise<unknown> {
    // A request that timed out and is repeated does not render twice.
    const same = [current, ...waiting].find((job) => job && isSame(job, work));
    if (same) return same.promise;
    const job: Job = { ...work, cost: costOf(work), ...Promise.withResolvers<unknown>() };
    const at = waiting.findIndex(({ cost }) => cost > job.cost);
    waiting.splice(at < 0 ? waiting.length : at, 0, job);
    next();
    return job.promise;
  }

  /** What the thread failed at is not remembered: it is tried again. */
  function remember(work: ToTextThread, value: unknown): unknown {
    if (isRemembered(work)) remembered.set(keyOf(work), { value, characters: charactersIn(value) });
    return value;
  }

  async function here(work: ToTextThread): Promise<unknown> {
    return remember(work, await run(work));
  }

  function inWords({ task, given }: ToTextThread): Promise<unknown> {
    const [html, ...rest] = given;
    return run({ task, given: [asWords(html), ...rest] });
  }

  const wherever =
    <T extends keyof TextTasks>(task: T) =>
    (...given: Parameters<TextTasks[T]>): ReturnType<TextTasks[T]> => {
      const work = { task, given } satisfies ToTextThread;
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
