import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killableBrowser } from './killable-browser.ts';
import { picture } from './pictures.ts';
import { paste, postForm, stored } from './post-form.ts';
import { expect, signIn, test } from './site.ts';

// A killed browser cannot write a trace.
test.use({ trace: 'off' });

test('a killed browser keeps what was stored while the writer typed', async ({ site, writer, launchOptions }) => {
  const profile = mkdtempSync(join(tmpdir(), 'common-ink-profile-'));
  let browser = await killableBrowser(profile, launchOptions);
  try {
    const page = await signIn(browser.context, site, writer);
    await page.goto(`${site.url}/add-post`);
    const form = postForm(page);
    await form.title.fill('Cut off');
    await form.chooseImage('ink.png');
    await form.content.click();
    // Leaves the upload unanswered.
    await page.route('**/v1/storage/buckets/*/files', () => {});
    await paste(form.content, {}, await picture(80, 50), 'in-text.png');
    await expect(form.content.locator('img.uploading')).toBeVisible();
    // The picture's floating tools cover the next paragraph until the cursor leaves the picture.
    await page.keyboard.press('ControlOrMeta+End');
    const typed = [''];
    const typing = async () => {
      for (let word = 0; ; word += 1) {
        await page.keyboard.type(`word ${word} `);
        typed.push(`${typed.at(-1)}word ${word} `);
      }
    };
    const stopped = typing().catch(() => {});
    const kept = async () => (await stored<{ content: string }>(page, 'drafts')).map(({ content }) => content).join();
    await expect.poll(kept).toContain('word 20');
    // On a busy machine, the pictures may be stored later than the words.
    await expect.poll(async () => (await stored(page, 'pictures')).length).toBe(2);
    await browser.kill();
    await stopped;

    browser = await killableBrowser(profile, launchOptions);
    const again = await signIn(browser.context, site, writer);
    const { title, content, offer } = postForm(again);
    // The form offers nothing if the device does not answer in time. It is then opened again.
    await expect(async () => {
      await again.goto(`${site.url}/add-post`);
      await expect(offer).toContainText(/“Cut off” was saved on this device today at/, { timeout: 10_000 });
    }).toPass();
    await again.getByRole('button', { name: 'Restore' }).click();
    await expect(title).toHaveValue('Cut off');
    await expect(again.getByText(/ink\.png, /)).toBeVisible();
    const words = content.locator('p:has(img) + p');
    await expect(words).toContainText('word 20');
    await expect(content.locator('img[src*="/files/"][width="80"]')).toBeVisible();
    const there = (await words.textContent())?.trimEnd() ?? '';
    const whole = `${typed.at(-1)}word ${typed.length - 1} `;
    expect(whole.slice(0, there.length)).toBe(there);
  } finally {
    await browser.kill();
    rmSync(profile, { recursive: true, force: true });
  }
});
