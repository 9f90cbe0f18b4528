import { overflow, violationsOn } from './axe.ts';
import { expect, ownSite, test } from './site.ts';

test('on a German site the editor, its menus and panels are in German @embedded', async ({ open }) => {
  await using site = await ownSite({ environment: { SITE_LANGUAGE: 'de' } });
  const writer = await site.writer();
  const page = await open({ as: writer, at: site, viewport: { width: 360, height: 900 } });
  const post = await site.post(writer, {
    content: '<h2>Teil</h2><table><tbody><tr><td>Zelle</td></tr></tbody></table><p>Ende</p>',
  });
  await page.goto(`/edit-post/${post.id}`);
  const content = page.getByRole('textbox', { name: 'Inhalt', exact: true });
  await expect(page.getByRole('toolbar', { name: 'Formatierung' })).toBeVisible();
  await content.getByText('Zelle').click();
  await expect(page.getByRole('group', { name: 'Tabelle' })).toBeVisible();
  // Moves the cursor out of the table, whose floating tools may cover the heading.
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('e');
  const find = page.getByRole('search', { name: 'Im Text suchen' });
  await expect(find.getByRole('status')).toHaveText(/^\d von \d$/);
  // Floating elements follow their block one frame later.
  await expect.poll(() => overflow(page)).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+Shift+o');
  await expect(page.getByRole('navigation', { name: 'Gliederung' })).toBeVisible();
  const english = /\b(?:the|Find|Heading|Words|Status:|Picture|Everybody|Retry|Loading)\b/;
  const attributes = ['aria-label', 'placeholder', 'data-tip'];
  const labelled = page.locator(attributes.map((name) => `[${name}]`).join());
  const textsOf = (all: Element[], names: string[]) => all.map((each) => names.map((name) => each.getAttribute(name)));
  const named = await labelled.evaluateAll(textsOf, attributes);
  const said = [...(await page.locator('body').allInnerTexts()), ...named.flat()].join('\n');
  expect(said.match(english)).toBeNull();
  await page.goto('/add-post');
  await expect(page.getByRole('button', { name: 'Speichern', exact: true })).toBeVisible();
  // Long words must not make the page scroll sideways at 400 % zoom.
  await page.setViewportSize({ width: 320, height: 900 });
  await page.goto(`/post/${post.id}`);
  expect(await overflow(page)).toBe(0);
  // At a width of 768 px (including a scrollbar of 15 px) or more, the header's links fit beside the logo. In narrower
  // windows, they are in a second row.
  const rows = () =>
    page.locator('header[data-site] :is(a, button)').evaluateAll((all) => {
      const middles = all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2);
      return new Set(middles.map(Math.round)).size;
    });
  await expect(page.getByRole('button', { name: 'Abmelden' })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  for (const [width, most] of Object.entries({ 640: 2, 767: 2, 768: 1, 1024: 1 })) {
    await page.setViewportSize({ width: Number(width), height: 900 });
    expect(await rows(), `${width} px`).toBe(most);
  }
});
