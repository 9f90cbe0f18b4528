/** The post form as a writer meets it: by labels and names. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Locator, type Page, test } from 'playwright/test';
import { picture } from './pictures.ts';

export interface PostFormPage {
  readonly title: Locator;
  readonly slug: Locator;
  readonly content: Locator;
  readonly image: Locator;
  readonly status: Locator;
  readonly submit: Locator;
  readonly alert: Locator;
  chooseImage(name?: string, bytes?: Buffer): Promise<void>;
  write(text: string): Promise<void>;
}

/** The form on `page`, whichever of the two routes it is on. */
export function postForm(page: Page): PostFormPage {
  const form: PostFormPage = {
    title: page.getByLabel('Title', { exact: true }),
    slug: page.getByLabel('Slug', { exact: true }),
    content: page.getByRole('textbox', { name: 'Content', exact: true }),
    image: page.getByLabel('Featured Image', { exact: true }),
    status: page.getByLabel('Status', { exact: true }),
    submit: page.getByRole('button', { name: /^(Submit|Update)$/ }),
    alert: page.getByRole('alert'),
    async chooseImage(name = 'picture.png', bytes) {
      // From a file, as people have them: megabytes would otherwise go through the test's own connection to the browser.
      // A browser does not send one that was written since it was chosen, so each is another.
      const file = test.info().outputPath(randomUUID(), name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes ?? (await picture()));
      await form.image.setInputFiles(file);
    },
    async write(text) {
      await form.content.click();
      await page.keyboard.type(text);
    },
  };
  return form;
}

/**
 * Presses a key that moves the cursor or selects. Browsers tell of it with a frame, which lies between any two keys of a
 * hand; without it the next key would meet the cursor where it was.
 */
export async function moveCursor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
