/** Pictures of one editor on their way into the blog: a few at a time, each with its progress, its failure, its way out. */

import { pictureText, uploadMessage } from '#blog/messages.ts';
import type { PictureUpload, Progress, StoredPicture } from '#stores/media.ts';
import { localAddress } from './local-pictures.ts';

/** How pictures get into the blog (`stores/media.ts`). */
export interface Uploader {
  /** Uploads and gives the stored picture. */
  readonly upload: (file: File, options: Omit<PictureUpload, 'userId'>) => Promise<StoredPicture>;
  /** What is wrong with a file at first sight, in words. */
  readonly faultOf: (file: File) => Promise<string | undefined>;
  /** Tells the writer which files are no pictures. */
  readonly refuse: (message: string) => void;
}

export type Stage =
  | { readonly name: 'waiting' }
  | { readonly name: 'preparing' }
  | { readonly name: 'sending'; readonly progress: Progress }
  /** `final`: another attempt would end the same. */
  | { readonly name: 'failed'; readonly message: string; readonly final: boolean }
  | { readonly name: 'stored'; readonly picture: StoredPicture }
  /** Taken out of the text; brought back by an undo, it begins anew. */
  | { readonly name: 'cancelled' };

/** Gets a picture from where it lies. What it throws is told like a failed upload. */
export type Bring = (signal: AbortSignal) => Promise<File>;

interface Upload {
  /** What the picture is called before those who cannot see it. */
  readonly label: string;
  /** Gives the file. Undefined: it is only in another program, or on another page. */
  readonly bring: Bring | undefined;
  /** It is shown from elsewhere meanwhile, and can stay there: what that is called. */
  readonly stay: string | undefined;
  stage: Stage;
  /** Stands in the text, or did; until then nothing is sent. */
  placed: boolean;
  breakOff: AbortController;
}

/** One after the other would be slow, all at once would be slower for the first. */
const AT_A_TIME = 3;

export class PictureTray {
  readonly #uploader: Uploader;
  /** By the address that stands in the text meanwhile: of this device alone. */
  readonly #uploads = new Map<string, Upload>();
  readonly #listeners = new Set<(address: string) => void>();

  constructor(uploader: Uploader) {
    this.#uploader = uploader;
  }

  /** Hears of each address whose stage changed, until the function that it gives is called. */
  listen(listener: (address: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stageOf(address: string): Stage | undefined {
    return this.#uploads.get(address)?.stage;
  }

  labelOf(address: string): string {
    return this.#uploads.get(address)?.label ?? '';
  }

  /**
   * Takes files in; gives addresses to put into the text, in order. They are sent when `follow` has seen them there.
   * Those that are no pictures are refused in words.
   */
  async take(files: readonly File[]): Promise<string[]> {
    const faults = await Promise.all(files.map((file) => this.#uploader.faultOf(file)));
    const refused = files.flatMap((file, index) => (faults[index] ? [`${file.name}: ${faults[index]}`] : []));
    this.#uploader.refuse(files.length === 1 ? (faults[0] ?? '') : refused.join(' '));
    return files.flatMap((file, index) => {
      if (faults[index]) return [];
      const address = localAddress(file);
      this.#enlist(address, file.name, async () => file);
      return [address];
    });
  }

  /** Begins with a picture that stands in the text under `address`; without a file it cannot be sent, which is said. */
  add(address: string, file?: File): void {
    if (this.#uploads.has(address)) return;
    this.#enlist(address, file?.name ?? address.slice(0, 200), file && (async () => file), true);
    this.#next();
  }

  /** Gets ready for a picture that is about to stand in the text under `address`. */
  expect(address: string, bring: Bring): void {
    if (!this.#uploads.has(address)) this.#enlist(address, address.slice(0, 200), bring);
  }

  /** Copies a picture that stands in the text by its address elsewhere. `stay`: what leaving it there is called. */
  copy(address: string, bring: Bring, stay: string): void {
    this.#enlist(address, address.slice(0, 200), bring, true, stay);
    this.#tell(address);
    this.#next();
  }

  /** What leaving this picture where it is, elsewhere, is called; undefined where that cannot be. */
  stayOf(address: string): string | undefined {
    return this.#uploads.get(address)?.stay;
  }

  /** Stops, if it has not been copied yet, and leaves the picture where it is. */
  leave(address: string): void {
    this.#uploads.get(address)?.breakOff.abort();
    this.#uploads.delete(address);
    this.#tell(address);
    this.#next();
  }

  retry(address: string): void {
    const upload = this.#uploads.get(address);
    if (!upload || (upload.stage.name !== 'failed' && upload.stage.name !== 'cancelled')) return;
    upload.breakOff = new AbortController();
    this.#enter(address, upload, { name: 'waiting' });
    this.#next();
  }

  /** As `retry`, of all that another attempt may bring. */
  retryFailed(): void {
    for (const [address, { stage, placed }] of this.#uploads) {
      if (placed && stage.name === 'failed' && !stage.final) this.retry(address);
    }
  }

  /** Stops at once; what was sent is removed. */
  cancel(address: string): void {
    const upload = this.#uploads.get(address);
    if (!upload || upload.stage.name === 'stored' || upload.stage.name === 'cancelled') return;
    upload.breakOff.abort();
    this.#enter(address, upload, { name: 'cancelled' });
    this.#next();
  }

  /** Follows the text: what is no longer in it stops, what came back into it goes on. */
  follow(inText: ReadonlySet<string>): void {
    for (const [address, upload] of this.#uploads) {
      if (inText.has(address)) {
        upload.placed = true;
        if (upload.stage.name === 'cancelled') this.retry(address);
      } else if (upload.placed) this.cancel(address);
    }
    this.#next();
  }

  /** How many pictures of the text are on their way; of a single one, how far it is in percent. */
  underway(): { readonly pictures: number; readonly percent?: number } {
    const left = this.#placed().flatMap(({ stage }) => (ON_THE_WAY.has(stage.name) ? [stage] : []));
    const only = left.length === 1 ? left[0] : undefined;
    return { pictures: left.length, ...(only?.name === 'sending' && { percent: only.progress.percent }) };
  }

  /** Resolves when no picture is on its way any more, with the number of those that failed and that nobody could read. */
  async settled(): Promise<number> {
    while (this.underway().pictures > 0) {
      await new Promise<void>((resolve) => {
        const stop = this.listen(() => {
          stop();
          resolve();
        });
      });
    }
    return this.unsent();
  }

  /** How many failed, and can stay nowhere else. */
  unsent(): number {
    return this.#placed().filter(({ stage, stay }) => stage.name === 'failed' && !stay).length;
  }

  #placed(): Upload[] {
    return [...this.#uploads.values()].filter((upload) => upload.placed);
  }

  #next(): void {
    const all = [...this.#uploads];
    let running = all.filter(([, { stage }]) => stage.name === 'preparing' || stage.name === 'sending').length;
    for (const [address, upload] of all) {
      if (running >= AT_A_TIME) return;
      if (upload.stage.name !== 'waiting' || !upload.placed) continue;
      if (!upload.bring) {
        this.#enter(address, upload, { name: 'failed', message: pictureText.onlyThere, final: true });
        continue;
      }
      running += 1;
      void this.#send(address, upload, upload.bring);
    }
  }

  async #send(address: string, upload: Upload, bring: Bring): Promise<void> {
    const { signal } = upload.breakOff;
    const enter = (stage: Stage) => !signal.aborted && this.#enter(address, upload, stage);
    enter({ name: 'preparing' });
    try {
      const onProgress = (progress: Progress) => enter({ name: 'sending', progress });
      const file = await bring(signal);
      enter({ name: 'stored', picture: await this.#uploader.upload(file, { onProgress, signal }) });
    } catch (error) {
      const final = error instanceof Error && error.name === 'PictureRefused';
      enter({ name: 'failed', message: uploadMessage(error), final });
    }
    this.#next();
  }

  #enter(address: string, upload: Upload, stage: Stage): void {
    upload.stage = stage;
    this.#tell(address);
  }

  #tell(address: string): void {
    for (const listener of [...this.#listeners]) listener(address);
  }

  #enlist(address: string, label: string, bring: Bring | undefined, placed = false, stay?: string): void {
    const stage = { name: 'waiting' } as const;
    this.#uploads.set(address, { label, bring, stay, stage, placed, breakOff: new AbortController() });
  }
}

const ON_THE_WAY: ReadonlySet<Stage['name']> = new Set(['waiting', 'preparing', 'sending']);

/** The address of a picture that is only on this device: in this page, a file, a mail (`cid:`), another program. */
export const isLocal = (src: unknown): boolean => /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(String(src));

/** What the writer reads when pictures failed; undefined when all is well. */
export const obstacle = (failed: number): string | undefined => (failed > 0 ? pictureText.unsent(failed) : undefined);
