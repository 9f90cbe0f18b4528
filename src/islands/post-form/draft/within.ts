/** Limits the wait for stored data, because a broken database never responds in some browsers (decision 014). */

/** Settles like `work`, or rejects after `limitMs` milliseconds; the work itself continues. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`This browser has not answered for ${limitMs} ms.`));
    const timer = setTimeout(late, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
