import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright';

const POINTER = 'M0 0v17l4-4 3 7 3-1-3-7h6z';
const STEP_MS = 45;
const STEPS = 13;
const ease = (part: number) => (1 - Math.cos(Math.PI * part)) / 2;

/**
 * Takes a picture of the page after each step, and records how long the film shows it. Loading takes no time in the
 * film, because each picture is taken once the page is complete.
 */
export class Camera {
  readonly page: Page;
  readonly #folder: string;
  readonly #shots: { readonly file: string; milliseconds: number }[] = [];
  #pointer = { x: 620, y: 470, isShown: true };

  constructor(page: Page, folder: string) {
    this.page = page;
    this.#folder = folder;
  }

  get seconds(): number {
    return this.#shots.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
  }

  /** Takes a picture of the page. The film shows the picture for `milliseconds`. */
  async show(milliseconds: number): Promise<void> {
    await this.page.evaluate(
      ([path, { x, y, isShown }]) => {
        const { namespaceURI } = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
        let pointer = document.querySelector<SVGElement>('svg[data-pointer]');
        if (!pointer) {
          pointer = document.createElementNS(namespaceURI, 'svg') as SVGElement;
          pointer.dataset.pointer = '';
          const arrow = document.createElementNS(namespaceURI, 'path');
          for (const [name, value] of Object.entries({ d: path, fill: '#111', stroke: '#fff', 'stroke-width': '1.4' }))
            arrow.setAttribute(name, value);
          pointer.append(arrow);
          document.documentElement.append(pointer);
        }
        const style = { position: 'fixed', left: `${x}px`, top: `${y}px`, zIndex: '9999', pointerEvents: 'none' };
        const size = { width: '20px', height: '24px', overflow: 'visible' };
        Object.assign(pointer.style, style, size, { opacity: isShown ? '1' : '0' });
      },
      [POINTER, this.#pointer] as const,
    );
    const file = join(this.#folder, `${this.#shots.length}.png`);
    await this.page.screenshot({ path: file, caret: 'initial', animations: 'disabled' });
    this.#shots.push({ file, milliseconds });
  }

  /** Waits until the page has its text, fonts and pictures, and the header for a signed-in writer. */
  async settle(ready: Locator): Promise<void> {
    await ready.waitFor();
    await this.page.waitForLoadState('load');
    await this.page.getByRole('button', { name: 'Logout' }).waitFor();
    await this.page.evaluate(async () => {
      await document.fonts.ready;
      const seen = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
      await Promise.all(seen.map((image) => image.decode().catch(() => undefined)));
    });
  }

  /** Moves the pointer to the middle of `target`. */
  async point(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error(`${target} is not on the page.`);
    const from = this.#pointer;
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (let step = 1; step <= STEPS; step++) {
      const part = ease(step / STEPS);
      this.#pointer = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part, isShown: true };
      await this.page.mouse.move(this.#pointer.x, this.#pointer.y);
      await this.show(STEP_MS);
    }
  }

  async click(target: Locator, clickCount = 1): Promise<void> {
    await this.point(target);
    await this.show(150);
    await this.page.mouse.click(this.#pointer.x, this.#pointer.y, { clickCount });
  }

  async type(text: string): Promise<void> {
    // Hides the pointer while the writer types, as operating systems do.
    this.#pointer.isShown = false;
    for (const [index, letter] of [...text].entries()) {
      await this.page.keyboard.type(letter);
      await this.show(50 + ((index * 37) % 45) + (letter === ' ' ? 25 : 0));
    }
  }

  /** Scrolls down until all of `target` and some space below it are in view. */
  async reveal(target: Locator): Promise<void> {
    const pixels = await target.evaluate((element) => element.getBoundingClientRect().bottom + 60 - innerHeight);
    for (let step = 1; step <= 2 * STEPS; step++) {
      const part = ease(step / STEPS / 2) - ease((step - 1) / STEPS / 2);
      await this.page.evaluate((by) => scrollBy({ top: by, behavior: 'instant' }), pixels * part);
      await this.show(STEP_MS);
    }
    await this.show(300);
  }

  /** Writes a list of the pictures and their durations for ffmpeg. Returns the path of the list. */
  list(): string {
    const lines = this.#shots.map(({ file, milliseconds }) => `file '${file}'\nduration ${milliseconds / 1000}`);
    const path = join(this.#folder, 'list.txt');
    // ffmpeg ignores the duration of the last entry.
    writeFileSync(path, `${lines.join('\n')}\nfile '${this.#shots.at(-1)?.file}'\n`);
    return path;
  }
}
