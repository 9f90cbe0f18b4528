import type { Page } from 'playwright/test';
import { editPost, newPost, postForm, subscribed } from './post-form.ts';
import { expect, test } from './site.ts';

const WIDTHS = [360, 768, 1280] as const;

async function places(page: Page) {
  // Scrolls back up, because clicks and focus scroll the page. With reduced motion, this takes effect at once.
  await page.evaluate(() => scrollTo(0, 0));
  const boxes: Record<string, unknown> = {};
  for (const button of [page.getByRole('toolbar'), ...(await page.locator('aside button').all())])
    boxes[`${await button.getAttribute('aria-label')} ${await button.textContent()}`] = await button.boundingBox();
  return boxes;
}

test('notices that the form shows by itself move and cover no button', async ({ open, site, writer }) => {
  // The test checks each width after each notice, and some notices take time.
  test.slow();
  const post = await site.post(writer, { title: 'On two desks', content: '<p>Begun.</p>' });
  const page = await open({ as: writer, reducedMotion: 'reduce' });
  const context = page.context();
  const listening = subscribed(page);
  const form = await editPost(page, post.id);
  await listening;
  await form.write('Written here. ');
  await expect(form.saved).toBeVisible();
  await page.evaluate(() => document.fonts.ready);

  const before = new Map<number, Awaited<ReturnType<typeof places>>>();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    before.set(width, await places(page));
    expect(Object.keys(before.get(width) ?? {}).length).toBeGreaterThan(3);
  }
  const unmoved = async (what: string) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect.soft(await places(page), `${what} at ${width}`).toEqual(before.get(width));
      // A trial click checks that nothing covers the buttons.
      for (const button of [page.getByRole('button', { name: 'Bold' }), form.submit])
        await button.click({ trial: true });
    }
  };

  await context.setOffline(true);
  await expect(form.saved).toHaveText(/^Offline/);
  await unmoved('offline');
  await context.setOffline(false);
  await expect(form.saved).toHaveText(/^Saved/);

  const second = await context.newPage();
  await (await editPost(second, post.id)).title.fill('From another tab');
  await expect(form.offer).toBeVisible();
  await unmoved('words of another tab');

  await site.update(post.id, { title: 'Theirs' }, writer);
  await form.says('changed elsewhere');
  await unmoved('changed elsewhere');

  await second.close({ runBeforeUnload: false });
  const third = await context.newPage();
  await third.goto('/');
  await third.getByRole('button', { name: 'Logout' }).click();
  await form.says('no longer signed in');
  await unmoved('signed out');
  for (const name of ['Compare the two', 'Sign in again'])
    await page.getByRole('button', { name }).click({ trial: true });
});

test('the offer of stored words shows before the form, and moves no button', async ({ writerPage }) => {
  await expect((await newPost(writerPage, { title: 'Kept until later' })).saved).toBeVisible();
  const context = writerPage.context();
  await writerPage.close({ runBeforeUnload: false });
  for (const width of WIDTHS) {
    const page = await context.newPage();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    // Records the title's position in each frame that shows it.
    await page.addInitScript(() => {
      const tops = new Set<number>();
      const look = () => {
        const title = document.querySelector('textarea[name=title]');
        if (title?.checkVisibility()) tops.add(Math.round(title.getBoundingClientRect().top + scrollY));
        requestAnimationFrame(look);
      };
      look();
      Object.assign(window, { titleTops: () => [...tops] });
    });
    const form = postForm(page);
    const { offer } = form;
    // On a busy machine, the form may open before it has read the stored words. It then shows the offer elsewhere.
    await expect(async () => {
      await page.goto('/add-post');
      await expect(form.content).toBeVisible();
      await expect(offer.getByRole('button')).toHaveText(['Restore', 'Discard']);
      const [above, below] = [await offer.boundingBox(), await form.title.boundingBox()];
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
    }).toPass({ timeout: 600_000 });
    const below = await form.title.boundingBox();
    const before = await places(page);
    await offer.getByRole('button', { name: 'Discard' }).click();
    await expect(offer).toContainText('The copy was discarded.');
    expect.soft(await places(page), `discarded at ${width}`).toEqual(before);
    await offer.getByRole('button', { name: 'Undo' }).click();
    await expect(offer.getByRole('button')).toHaveText(['Restore', 'Discard']);
    await offer.getByRole('button', { name: 'Restore' }).click();
    await expect(form.title).toHaveValue('Kept until later');
    await expect(offer).toHaveCount(0);
    // Restored words may move elements below the title, but not the title.
    await page.evaluate(() => scrollTo(0, 0));
    expect.soft((await form.title.boundingBox())?.y, `restored at ${width}`).toBe(below?.y);
    const tops = await page.evaluate(() => (window as unknown as { titleTops(): number[] }).titleTops());
    expect.soft(tops, `frames at ${width}`).toHaveLength(1);
    await expect(form.saved).toBeVisible();
    await page.close({ runBeforeUnload: false });
  }
});
