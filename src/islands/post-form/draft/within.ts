/** Bounds the wait for what this device stores: a broken database never answers in some browsers (decision 014). */

/** Settles as `work` does, or rejects after `limitMs` milliseconds; the work itself goes on. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`This browser has not answered for ${limitMs} ms.`));
    const timer = setTimeout(late, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
