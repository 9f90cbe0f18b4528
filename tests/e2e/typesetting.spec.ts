import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import { expect, test } from './site.ts';

test.use({ viewport: { width: 360, height: 900 } });

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

async function isBlank(page: Page, clip: Box): Promise<boolean> {
  const { channels } = await sharp(await page.screenshot({ clip })).stats();
  return channels.every(({ min, max }) => max - min < 8);
}

const columnsOf = (cards: Locator): Promise<number> =>
  cards.evaluateAll((all) => new Set(all.map((card) => card.getBoundingClientRect().left)).size);

/** Returns the box of each line of text in `locator`. */
const linesOf = (locator: Locator): Promise<Box[]> =>
  locator.evaluate(async (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    // Requesting the rectangles makes the browser load the fonts.
    range.getClientRects();
    await document.fonts.ready;
    return Array.from(range.getClientRects(), ({ x, y, width, height }) => ({ x, y, width, height }));
  });

test('the marks of a byline stand between its parts alone', async ({ page, site }) => {
  const long = await site.post(await site.writer('Maximiliana Konstantinopolitanska-von-der-Wolkenstein-Rodenegg'));
  const arabic = await site.post(await site.writer('ليلى الكاتبة'));
  const author = page.locator('.byline').getByRole('link');
  const time = page.locator('.byline time');
  await page.goto(`/post/${long.id}`);
  const last = (await linesOf(author)).at(-1);
  const [date] = await linesOf(time);
  if (!last || !date) throw new Error('The byline has no words.');
  expect(date.y).toBeGreaterThan(last.y);
  const end = last.x + last.width + 1;
  expect(await isBlank(page, { x: end, y: last.y, width: 360 - end, height: last.height })).toBe(true);
  expect(await isBlank(page, { x: 0, y: date.y, width: 15, height: date.height })).toBe(true);
  await page.goto(`/post/${arabic.id}`);
  const [name] = await linesOf(author);
  const when = (await linesOf(time)).at(-1);
  if (!name || !when) throw new Error('The byline has no words.');
  const nameEnd = name.x + name.width + 1;
  expect(await isBlank(page, { x: 0, y: name.y, width: name.x - 1, height: name.height })).toBe(true);
  expect(await isBlank(page, { x: nameEnd, y: name.y, width: when.x - nameEnd, height: name.height })).toBe(false);
});

test('only pages with Central European or Vietnamese letters load their fonts', async ({ page, site, writer }) => {
  const cdp = await page.context().newCDPSession(page);
  const fetched: string[] = [];
  page.on('request', (request) => {
    const [, font] = /\/([a-z-]+)\.[\w-]+\.woff2$/.exec(request.url()) ?? [];
    if (font) fetched.push(font);
  });
  for (const [words, ...fonts] of [
    ['Ink'],
    ['Žluťoučký kůň', 'inter-ext', 'newsreader-ext'],
    // The browser must not compose the letter “ế” from a letter and an accent in different fonts, which looks bad.
    ['Tiếng', 'inter-viet', 'newsreader-viet'],
  ] as const) {
    // The words are not in the title, which would also appear on the adjacent posts' pages.
    const content = `<h2>${words}</h2><p>${words}</p><table><tr><td>${words}</td></tr></table>`;
    const post = await site.post(writer, { title: 'Ink', content });
    fetched.length = 0;
    await page.goto(`/post/${post.id}`);
    await page.evaluate(() => document.fonts.ready);
    await cdp.send('DOM.enable');
    await cdp.send('CSS.enable');
    const { root } = await cdp.send('DOM.getDocument');
    for (const selector of ['.prose h2', '.prose p', '.prose td']) {
      const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const shown = (await cdp.send('CSS.getPlatformFontsForNode', { nodeId })).fonts;
      expect(shown.length, `${words} in ${selector}`).toBeGreaterThan(0);
      expect(shown, `${words} in ${selector}`).toEqual(shown.map((font) => ({ ...font, isCustomFont: true })));
    }
    // The page may need more fonts, because it also shows part of the previous post.
    expect(fetched).toEqual(expect.arrayContaining(['inter', 'newsreader', ...fonts]));
    if (fonts.length === 0) expect(new Set(fetched).size).toBe(2);
  }
});

test('cards without a picture show words alone, and without any picture they form a list', async ({ page, site }) => {
  const [mixed, plain] = [await site.writer(), await site.writer()];
  await site.post(mixed);
  for (const writer of [mixed, plain, plain]) await site.publishText(writer, 'Words');
  const frames = page.locator('.post-grid .picture').filter({ visible: true });
  for (const [writer, width, shown] of [
    [mixed, 360, 1],
    [mixed, 1280, 1],
    [plain, 360, 0],
    [plain, 1280, 0],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect(async () => {
      await page.goto(`/author/${writer.id}`);
      await expect(page.locator('.card')).toHaveCount(2, { timeout: 1 });
    }).toPass();
    await expect(frames, `${width}`).toHaveCount(shown);
    expect(await columnsOf(page.locator('.card'))).toBe(shown > 0 && width > 360 ? 2 : 1);
    if (shown > 0) continue;
    const head = await page.locator('main header').boundingBox();
    const card = await page.locator('.card').first().boundingBox();
    if (!head || !card) throw new Error('The list is not to be seen.');
    expect(card.y - head.y).toBeCloseTo(head.height - 1, 0);
  }
});

test('a phone shows tasks, code in tables and wide tables well', async ({ page, site, writer }) => {
  const words = 'a word and another one '.repeat(6);
  const cells = (n: number) => `<tr>${'<td>wide cells</td>'.repeat(n)}</tr>`;
  const { id } = await site.post(writer, {
    content: `<ul><li data-checked="false">${words}</li></ul>
<table><tbody><tr><td><code>a_name_in_code</code></td><td>${words}</td><td>${words}</td></tr></tbody></table>
<table><tbody>${cells(12)}</tbody></table><table><tbody>${cells(2)}</tbody></table>`,
  });
  await page.goto(`/post/${id}`);
  const task = await linesOf(page.locator('li.task'));
  const starts = task.filter(({ width }) => width > 100).map(({ x }) => x);
  expect(starts.length).toBeGreaterThan(2);
  // The first line's box includes the space after the checkbox. If the checkbox were not in the margin, the line would
  // start at least 18 pixels, the width of the checkbox, after the others.
  expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(6);
  await expect(page.locator('li.task input')).toHaveCSS('border-top-color', 'rgb(138, 133, 119)');
  expect(await linesOf(page.locator('td code'))).toHaveLength(1);
  const edgeOf = async (table: Locator): Promise<Box> => {
    await table.scrollIntoViewIfNeeded();
    const box = await table.boundingBox();
    if (!box) throw new Error('The table is not to be seen.');
    // A strip at the right edge, above the words of the first row.
    return { x: box.x + box.width - 4, y: box.y + 2, width: 4, height: 5 };
  };
  const [, wide, narrow] = await page.locator('.table-scroll').all();
  if (!wide || !narrow) throw new Error('The tables are not there.');
  expect(await isBlank(page, await edgeOf(wide))).toBe(false);
  expect(await isBlank(page, await edgeOf(narrow))).toBe(true);
  await wide.evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: 'instant' }));
  expect(await isBlank(page, await edgeOf(wide))).toBe(true);
});

test('cards stand in one to four columns, and titles keep to four lines', async ({ page, site, writer }) => {
  const long = 'A title that goes on and on '.repeat(8).trim();
  await site.post(writer);
  const posts = Array.from({ length: 6 }, (_, i) => site.publishText(writer, `${long} ${i}`));
  for (const slug of await Promise.all(posts)) await expect.poll(() => site.text('/')).toContain(slug);
  await page.goto('/');
  const titles = page.locator('.card h2').filter({ hasText: long });
  for (const [width, columns] of Object.entries({ 360: 1, 768: 2, 1000: 3, 1280: 3, 1920: 4 })) {
    await page.setViewportSize({ width: Number(width), height: 900 });
    expect([width, await columnsOf(page.locator('.post-grid .card'))]).toEqual([width, columns]);
  }
  for (const title of (await titles.all()).slice(0, 3)) {
    await title.getByRole('link').focus();
    const seen = await title.evaluate((heading) => {
      const { lineHeight, paddingTop } = getComputedStyle(heading);
      const lines = (heading.clientHeight - Number.parseFloat(paddingTop)) / Number.parseFloat(lineHeight);
      return [Math.round(lines), heading.scrollHeight > heading.clientHeight, heading.scrollTop];
    });
    expect(seen, 'lines, whether cut, how far scrolled').toEqual([4, true, 0]);
  }
});
