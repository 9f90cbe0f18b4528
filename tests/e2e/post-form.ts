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

/** Returns the form on `page`, on either of its two routes. */
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
      // Chooses a file on disk: a buffer of megabytes would go through the test's connection to the browser. Each
      // file is new, because a browser does not send one that changed after it was chosen.
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
 * Presses a key that moves the cursor or selects, then waits for two frames, in which the browser reports the new
 * cursor. Without them the next key would act at the old one.
 */
export async function moveCursor(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
