import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { textTasks } from '#blog/content/text-tasks.ts';
import { setLanguage } from '#blog/messages/language.ts';
import { openTextWorker } from './worker.ts';

const MODULE = new URL('../../../tests/support/texts-thread-child.ts', import.meta.url);
// A busy machine may need longer for a text than the default limit.
const worker = openTextWorker(MODULE, { longestMs: 900_000 });
afterAll(() => worker.close());

/** Shorter texts are rendered on the calling thread. */
const LONG = 20_001;
const long = (html: string): string => `${html}<p>${'word '.repeat(LONG / 5)}</p>`;

it('returns the same results for short and long texts', async () => {
  const code = '<pre><code class="language-js">let a</code></pre>';
  for (const html of ['<h2>Ink</h2><p>Short.</p>', long('<h2>Ink</h2>'), code]) {
    expect(await worker.render(html, 'https://a.test')).toEqual(await textTasks.render(html, 'https://a.test'));
    expect(await worker.forFeed(html, 'https://a.test/')).toEqual(await textTasks.forFeed(html, 'https://a.test/'));
    expect(await worker.excerpt(html, 20)).toBe(await textTasks.excerpt(html, 20));
    expect(await worker.match(html, 'Ink', ['ink'])).toEqual(await textTasks.match(html, 'Ink', ['ink']));
  }
});

it('uses the language that the site has when a text is asked for', async () => {
  onTestFinished(() => setLanguage('en'));
  const table = '<table><tr><td>a</td></tr></table>';
  for (const text of [table, long(table)]) {
    for (const language of ['en', 'de', 'en'] as const) {
      setLanguage(language);
      const name = language === 'en' ? 'Table' : 'Tabelle';
      expect((await worker.render(text, 'https://a.test')).html).toContain(`"${name}"`);
    }
  }
});

it('processes long texts in another thread', async () => {
  const done: string[] = [];
  const longest = worker.render(long('<h2>a</h2>'.repeat(9000)), 'https://a.test').then(() => done.push('long'));
  await worker.render('<p>short</p>', 'https://a.test').then(() => done.push('short'));
  await longest;
  expect(done).toEqual(['short', 'long']);
});

it('shares and caches equal jobs', async () => {
  const html = long('<p>twice</p>');
  const [one, other, another] = await Promise.all(
    ['https://a.test', 'https://a.test', 'https://b.test'].map((siteUrl) => worker.render(html, siteUrl)),
  );
  expect(other).toBe(one);
  expect(another).not.toBe(one);
  expect(await worker.render(html, 'https://a.test')).toBe(one);
  const short = await worker.render('<p>short</p>', 'https://a.test');
  expect(await worker.render('<p>short</p>', 'https://a.test')).toBe(short);
  expect(await worker.render('<p>short</p>', 'https://b.test')).not.toBe(short);
});

it('caches a million characters', async () => {
  const first = await worker.render('<p>first</p>', 'https://a.test');
  const text = (n: number) => `<p>${n}</p>${'<p>0123456789</p>'.repeat(5000)}`;
  for (let n = 0; n < 4; n++) await worker.render(text(n), 'https://a.test');
  expect(await worker.render('<p>first</p>', 'https://a.test')).toBe(first);
  for (let n = 4; n < 12; n++) await worker.render(text(n), 'https://a.test');
  expect(await worker.render('<p>first</p>', 'https://a.test')).not.toBe(first);
});

it('processes feeds before pages, and short texts before long ones', async () => {
  const done: string[] = [];
  const noted = (name: string) => () => void done.push(name);
  await Promise.all([
    worker.render(long('<p>first</p>'), 'https://a.test').then(noted('under way')),
    worker.render(long('<p>book</p>'), 'https://a.test').then(noted('book')),
    worker.render('<pre>code</pre>', 'https://a.test').then(noted('code')),
    worker.forFeed(long('<p>feed</p>'), 'https://a.test/').then(noted('feed')),
  ]);
  expect(done).toEqual(['under way', 'feed', 'code', 'book']);
});

it.each(['end the thread', 'never end'])('shows plain words of a text that would %s, and continues', async (what) => {
  const own = openTextWorker(MODULE, { longestMs: 5000 });
  onTestFinished(() => own.close());
  onTestFinished(() => void vi.useRealTimers());
  const render = (heading: string) => own.render(long(`<h2>${heading}</h2>`), 'https://a.test');
  const both = Promise.all([render(`Please ${what}`), render('Next')]);
  // The first text's time limit already runs. Disables the second's, as a busy machine may start its thread slowly.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const [lost, next] = await both;
  vi.useRealTimers();
  expect(lost.html).toMatch(new RegExp(`^\\s*Please ${what}[^<]*$`));
  expect(await render(`Please ${what}`)).not.toBe(lost);
  expect(next.html).toContain('<h2 id="h-next">Next</h2>');
});
