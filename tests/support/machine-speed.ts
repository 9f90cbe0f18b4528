/** How fast this machine is beside the one that limits in milliseconds were set on. */

/** Milliseconds that the reference work takes there. */
const REFERENCE = 12;
const ROUNDS = 7;

/** What a server does most: text to values and back, and a search through it. */
function referenceWork(): number {
  const rows = Array.from({ length: 4000 }, (_, i) => ({
    id: `row-${i}`,
    title: `A title of ${i}`,
    tags: ['a', 'b', `${i % 50}`],
  }));
  let found = 0;
  for (let i = 0; i < 4; i++) {
    const text = JSON.stringify(rows);
    for (const row of JSON.parse(text) as typeof rows) found += row.title.replaceAll(/\d+/g, '').length;
    found += text.split('title').length;
  }
  return found;
}

/** How many times as long as there a thread takes at this moment, by its processor time; 1 where it is as fast or faster. */
export function slowness(): number {
  const times: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.threadCpuUsage();
    referenceWork();
    const { user, system } = process.threadCpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.max(1, Math.min(...times) / REFERENCE);
}
