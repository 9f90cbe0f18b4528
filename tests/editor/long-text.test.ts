/** A text long enough to be laid out in parts is written in like any other, wherever its parts meet. */
import type { Browser, CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { screenPage } from './chromium.ts';

const BLOCKS = 200;
const words = (number: number) => `Paragraph ${number} is about ink, paper and everything that happens between them.`;
const LONG = Array.from({ length: BLOCKS }, (_, index) => `<p>${words(index)}</p>`).join('');

let browser: Browser;
let page: Page;
let keyboard: Page['keyboard'];
let cdp: CDPSession;
beforeAll(async () => {
  ({ browser, page } = await screenPage());
  ({ keyboard } = page);
  cdp = await page.context().newCDPSession(page);
});
afterAll(() => browser?.close());

const painted = () => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
const shown = () => page.evaluate(() => window.shown());
const paragraphs = async () => [...(await shown()).matchAll(/<p>(.*?)<\/p>/g)].map(([, text]) => text);
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await keyboard.press(key);
    await painted();
  }
}
const paragraph = (number: number) => page.locator('.ProseMirror > p').nth(number);
/** The first block of the second part. */
const boundary = () =>
  page.evaluate(() => {
    const blocks = [...document.querySelectorAll('.ProseMirror > *')];
    return blocks.findIndex(({ assignedSlot }) => assignedSlot !== blocks[0]?.assignedSlot);
  });
/** Every block is in a part, in the order of the text, and what the cursor is in can be seen. */
const inOrder = () =>
  page.evaluate(() => {
    const text = document.querySelector('.ProseMirror');
    const slots = [...(text?.shadowRoot?.querySelectorAll('slot') ?? [])];
    const flat = slots.flatMap((slot) => slot.assignedNodes());
    const blocks = [...(text?.childNodes ?? [])];
    const cursor = getSelection()?.focusNode;
    const block = blocks.find((each) => each.contains(cursor ?? null));
    const { top = 0, bottom = 0 } = block instanceof Element ? block.getBoundingClientRect() : {};
    const view = text?.closest('[data-milkdown-root]')?.getBoundingClientRect();
    return {
      parts: slots.length,
      ordered: flat.length === blocks.length && flat.every((each, index) => each === blocks[index]),
      visible: bottom > top && view !== undefined && bottom > view.top && top < view.bottom,
    };
  });

/** What was far away is laid out when it comes near, which may move what is shown once more. */
const expectInOrder = () => expect.poll(inOrder, { timeout: 10_000 }).toMatchObject({ ordered: true, visible: true });

beforeEach(async () => {
  await page.evaluate((text) => window.show(text), LONG);
  await page.waitForFunction(() => document.querySelector('.ProseMirror')?.shadowRoot);
  await page.locator('.ProseMirror').focus();
  await painted();
});

test('a long text stands in parts before it is laid out for the first time', async () => {
  const early = await page.evaluate(async (text) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // Told at the end of the task that puts the text in: no frame has been drawn by then.
    const watch = new MutationObserver(() => {
      const editor = document.querySelector('.ProseMirror');
      if ((editor?.childElementCount ?? 0) > 100) resolve(Boolean(editor?.shadowRoot));
    });
    watch.observe(document, { childList: true, subtree: true });
    await window.show(text);
    return promise.finally(() => watch.disconnect());
  }, LONG.repeat(2));
  expect(early).toBe(true);
});

/** What a screen reader meets in the text: roles, levels and words in their order. */
async function read(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const visit = (id: string): string[] => {
    const { ignored, role, name, properties, childIds = [] } = byId.get(id) ?? {};
    const kind = String(role?.value);
    const level = properties?.find((property) => property.name === 'level')?.value.value ?? '';
    const own = kind === 'StaticText' ? String(name?.value) : `${kind}${level}`;
    // Of what is out of view Chromium tells no paragraphs and no bullets: their words follow all the same.
    const isLeft = ignored || /^(?:none|generic|paragraph|ListMarker|InlineTextBox)$/.test(kind);
    return [...(isLeft ? [] : [own]), ...childIds.flatMap(visit)];
  };
  const text = nodes.find(({ role, name }) => role?.value === 'textbox' && name?.value === 'Content');
  return visit(text?.nodeId ?? '');
}

test('screen readers meet the same in a text in parts as in one without, in view or not', async () => {
  // As a screen reader does, which only then is told of what is out of view.
  const listened = await screenPage({}, ['--force-renderer-accessibility']);
  try {
    const chapter = (n: number) =>
      `<h2>Chapter ${n}</h2><p>Words of <a href="https://example.com/">${n}</a>.</p><ol><li>One of ${n}</li></ol><blockquote><p>Said ${n}</p></blockquote>`;
    const told = (n: number) =>
      [`heading2`, `Chapter ${n}`, 'Words of ', 'link', `${n}`, '.'].concat([
        'list',
        'listitem1',
        `One of ${n}`,
        'blockquote',
        `Said ${n}`,
      ]);
    const chapters = Array.from({ length: 60 }, (_, n) => n);
    await listened.page.evaluate((html) => window.show(html), chapters.map(chapter).join(''));
    await listened.page.waitForFunction(() => document.querySelector('.ProseMirror')?.shadowRoot);
    await expect.poll(() => read(listened.page)).toEqual(['textbox', ...chapters.flatMap(told)]);
  } finally {
    await listened.browser.close();
  }
});

test('the browser’s own search finds words in parts that are out of view', async () => {
  // `find` of old and the search of the browser's menu look through the same.
  const found = await page.evaluate(() => {
    getSelection()?.removeAllRanges();
    const { find } = window as unknown as { find(words: string): boolean };
    const isFound = find.call(window, 'Paragraph 150 is');
    return isFound && getSelection()?.focusNode?.textContent;
  });
  expect(found).toBe(words(150));
});

test('what is typed stands where the cursor is: at the start, in the middle, where parts meet, at the end', async () => {
  const meets = await boundary();
  expect(meets).toBeGreaterThan(5);
  for (const at of [0, meets - 1, meets, 100]) {
    await paragraph(at).click();
    await press('End');
    await keyboard.type(' more');
  }
  await press('Control+End');
  await keyboard.type(' last');
  const texts = await paragraphs();
  for (const at of [0, meets - 1, meets, 100]) expect(texts[at]).toBe(`${words(at)} more`);
  expect(texts[BLOCKS - 1]).toBe(`${words(BLOCKS - 1)} last`);
  expect(texts).toHaveLength(BLOCKS);
  await expectInOrder();
});

test('new blocks are seen at once; lists, headings and breaks are made as ever', async () => {
  const meets = await boundary();
  await paragraph(meets - 1).click();
  await press('End', 'Enter');
  await keyboard.type('- one');
  await press('Enter');
  await keyboard.type('two');
  await press('Enter', 'Enter');
  await keyboard.type('## Part');
  await press('Enter');
  await keyboard.type('---');
  await keyboard.type('behind');
  expect(await shown()).toContain(
    `${words(meets - 1)}</p><ul><li>one</li><li>two</li></ul><h2>Part</h2><hr><p>behind</p><p>${words(meets)}`,
  );
  await expectInOrder();
});

test('paragraphs of two parts become one, and two again', async () => {
  const meets = await boundary();
  await paragraph(meets).click();
  await press('Home', 'Backspace');
  await keyboard.type('|');
  const joined = await paragraphs();
  expect(joined[meets - 1]).toBe(`${words(meets - 1)}|${words(meets)}`);
  await press('Enter');
  expect(await paragraphs()).toHaveLength(BLOCKS);
  await press('Control+z', 'Control+z', 'Control+z');
  expect(await shown()).toBe(LONG);
  await expectInOrder();
});

/** The blocks that are no longer as they came, and how many there are. */
function unlike(html: string): readonly string[] {
  const came = new Set(LONG.split(/(?=<p>)/));
  const blocks = html.split(/(?=<p>)/);
  return [`${blocks.length}`, ...blocks.filter((block) => !came.has(block))];
}

/** Keys and what they leave behind, in a text laid out in parts and in the same laid out as a whole. */
async function inBoth(act: () => Promise<void>): Promise<string> {
  await act();
  await expectInOrder();
  const inParts = await shown();
  await page.evaluate(async (text) => {
    const { matchMedia } = window;
    window.matchMedia = (query) => matchMedia(query === '(pointer: fine)' ? 'not all' : query);
    await window.show(text);
    window.matchMedia = matchMedia;
  }, LONG);
  await page.locator('.ProseMirror').focus();
  await painted();
  await act();
  expect((await inOrder()).parts).toBe(0);
  expect(unlike(inParts)).toEqual(unlike(await shown()));
  return inParts;
}

test.each([
  [
    'over where parts meet',
    ['Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', '<', 'ArrowUp', 'ArrowUp', '>', 'Home', 'ArrowLeft', '|'],
  ],
  ['with Shift', ['Home', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Delete', 'x']],
  [
    'by words',
    [
      'End',
      'Control+ArrowRight',
      'Control+ArrowRight',
      'x',
      'Control+ArrowLeft',
      'Control+ArrowLeft',
      'Control+Backspace',
    ],
  ],
  ['to both ends', ['Control+End', 'x', 'Control+Home', 'y', 'ArrowUp', 'z', 'Control+Shift+End', 'Backspace', 'w']],
  ['by screens', ['PageDown', 'x', 'PageDown', 'PageDown', 'y', 'PageUp', 'z']],
  ['far down', [...Array.from({ length: 90 }, () => 'ArrowDown'), 'x', 'Shift+PageDown', 'Shift+PageDown', 'Delete']],
])('the cursor goes %s', async (_name, keys) => {
  const meets = await boundary();
  const result = await inBoth(async () => {
    await paragraph(meets - 1).click({ position: { x: 2, y: 5 } });
    await painted();
    await press(...keys);
  });
  expect(result).not.toBe(LONG);
});

test('a press into what was far away puts the cursor there', async () => {
  const result = await inBoth(async () => {
    for (const [at, x] of [
      [150, 100],
      [20, 140],
      [90, 60],
    ] as const) {
      await paragraph(at).scrollIntoViewIfNeeded();
      await painted();
      // Elsewhere each time: three presses at one place mark a paragraph.
      await paragraph(at).click({ position: { x, y: 8 } });
      await press('x', 'Enter', 'ArrowDown', 'y');
    }
  });
  expect(result).not.toBe(LONG);
});

test('a press beside the words puts the cursor into their line, one below the text at its end', async () => {
  const result = await inBoth(async () => {
    await paragraph(100).scrollIntoViewIfNeeded();
    await painted();
    const [box, frame] = [await paragraph(100).boundingBox(), await page.locator('.ProseMirror').boundingBox()];
    if (!box || !frame) throw new Error('nothing is shown');
    for (const [x, y] of [
      [frame.x + 3, box.y + 8],
      [frame.x + frame.width - 4, box.y + box.height - 8],
      [box.x + 80, box.y + box.height + 4],
    ] as const) {
      await page.mouse.click(x, y);
      await press('x');
    }
    const scroller = page.locator('[data-milkdown-root]');
    const end = await scroller.boundingBox();
    if (!end) throw new Error('nothing is shown');
    const lowest = async () => {
      await scroller.evaluate((element) => element.scrollTo(0, 1_000_000));
      await painted();
      const last = await paragraph(BLOCKS - 1).boundingBox();
      return last ? last.y + last.height : Number.POSITIVE_INFINITY;
    };
    await expect.poll(lowest, { timeout: 10_000 }).toBeLessThan(end.y + end.height + 1);
    await page.mouse.click(end.x + 200, end.y + end.height - 30);
    await press('y');
  });
  expect(result).toContain('y');
});

test('an input method composes where parts meet', async () => {
  const meets = await boundary();
  await paragraph(meets).click();
  await press('Home');
  for (const text of ['に', 'にほ', 'にほん']) {
    await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await cdp.send('Input.insertText', { text: '日本' });
  await painted();
  expect((await paragraphs())[meets]).toBe(`日本${words(meets)}`);
});

test('all of it is selected, replaced, and comes back', async () => {
  await press('Control+a');
  await keyboard.type('x');
  expect(await shown()).toBe('<p>x</p>');
  await press('Control+z');
  expect(await shown()).toBe(LONG);
  expect(await inOrder()).toMatchObject({ ordered: true });
});

test('a part that has grown is cut, and all of it stands there', async () => {
  const { parts } = await inOrder();
  await paragraph(5).click();
  await press('End');
  for (let added = 0; added < 60; added += 1) await keyboard.press('Enter');
  await keyboard.type('far');
  await expectInOrder();
  expect((await inOrder()).parts).toBeGreaterThan(parts);
});

test('words marked with the mouse from one part into another are replaced', async () => {
  const meets = await boundary();
  await inBoth(async () => {
    await paragraph(meets).scrollIntoViewIfNeeded();
    await painted();
    const [from, to] = [await paragraph(meets - 1).boundingBox(), await paragraph(meets).boundingBox()];
    if (!from || !to) throw new Error('nothing is shown');
    await page.mouse.move(from.x + 30, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 60, to.y + 10, { steps: 4 });
    await page.mouse.up();
    await press('y');
  });
});

test('Tab leads in and, after Escape, out of it', async () => {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      if (document.querySelector('.ProseMirror')?.shadowRoot?.activeElement) return 'a part';
      return activeElement?.closest('.ProseMirror, [role=toolbar], #behind')?.className;
    });
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('button'), { id: 'behind', className: 'behind' }));
  });
  const text = /ProseMirror/;
  for (const come of [
    () => paragraph(3).click(),
    () => page.evaluate(() => document.querySelector<HTMLElement>('#behind')?.focus()),
  ]) {
    await come();
    if ((await focused()) === 'behind') await press('Shift+Tab');
    expect(await focused()).toMatch(text);
    await press('Escape', 'Tab');
    expect(await focused()).toBe('behind');
    await press('Shift+Tab');
    expect(await focused()).toMatch(text);
    await press('Escape', 'Shift+Tab');
    expect(await focused()).toMatch(/toolbar/);
    await press('Tab');
    expect(await focused()).toMatch(text);
  }
  await keyboard.type('x');
  expect(await shown()).not.toBe(LONG);
});
