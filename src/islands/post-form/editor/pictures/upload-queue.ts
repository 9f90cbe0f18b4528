import { pictureText, uploadMessage } from '#blog/messages.ts';
import type { PictureUpload, Progress, StoredPicture } from '#stores/pictures/media.ts';
import { localAddress } from './local-files.ts';

export interface Uploader {
  readonly upload: (file: File, options: Omit<PictureUpload, 'userId'>) => Promise<StoredPicture>;
  readonly faultOf: (file: File) => Promise<string | undefined>;
  readonly refuse: (message: string) => void;
}

export type UploadStage =
  | { readonly name: 'waiting' }
  | { readonly name: 'preparing' }
  | { readonly name: 'sending'; readonly progress: Progress }
  /** `final` is true if a retry would also fail. */
  | { readonly name: 'failed'; readonly message: string; readonly final: boolean }
  | { readonly name: 'stored'; readonly picture: StoredPicture }
  /** The picture was removed from the text. The upload restarts if Undo restores the picture. */
  | { readonly name: 'cancelled' };

/** Returns a picture's file. Errors are shown like those of a failed upload. */
export type FetchPicture = (signal: AbortSignal) => Promise<File>;

export interface Upload {
  readonly label: string;
  /** Undefined if only the application or page from which the picture was copied has the file. */
  readonly fetchPicture: FetchPicture | undefined;
  /** Label of the button that keeps a remote picture at its original URL; undefined for other pictures. */
  readonly stay: string | undefined;
  stage: UploadStage;
  /** True once the picture has been found in the text; only then is it uploaded. */
  placed: boolean;
  breakOff: AbortController;
}

/** Maximum number of parallel uploads: more would delay the first picture. */
const AT_A_TIME = 3;

export class UploadQueue {
  readonly #uploader: Uploader;
  readonly #uploads = new Map<string, Upload>();
  readonly #listeners = new Set<(address: string) => void>();

  constructor(uploader: Uploader) {
    this.#uploader = uploader;
  }

  listen(listener: (address: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  stageOf(address: string): UploadStage | undefined {
    return this.#uploads.get(address)?.stage;
  }

  uploadOf(address: string): Readonly<Upload> | undefined {
    return this.#uploads.get(address);
  }

  /** Returns object URLs of the accepted files, in order. Uploads start when `follow` finds the URLs in the text. */
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

  /** Starts the upload of a picture whose URL in the text is `address`. Without a file, the upload fails. */
  add(address: string, file?: File): void {
    if (this.#uploads.has(address)) return;
    this.#enlist(address, file?.name ?? address.slice(0, 200), file && (async () => file), true);
    this.#next();
  }

  /** Prepares the upload of a picture whose URL in the text will be `address`. */
  expect(address: string, fetchPicture: FetchPicture): void {
    if (!this.#uploads.has(address)) this.#enlist(address, address.slice(0, 200), fetchPicture);
  }

  copyRemote(address: string, fetchPicture: FetchPicture, stay: string): void {
    this.#enlist(address, address.slice(0, 200), fetchPicture, true, stay);
    this.#notify(address);
    this.#next();
  }

  leave(address: string): void {
    this.#uploads.get(address)?.breakOff.abort();
    this.#uploads.delete(address);
    this.#notify(address);
    this.#next();
  }

  retry(address: string): void {
    const upload = this.#uploads.get(address);
    if (!upload || (upload.stage.name !== 'failed' && upload.stage.name !== 'cancelled')) return;
    upload.breakOff = new AbortController();
    this.#enter(address, upload, { name: 'waiting' });
    this.#next();
  }

  retryFailed(): void {
    for (const [address, { stage, placed }] of this.#uploads) {
      if (placed && stage.name === 'failed' && !stage.final) this.retry(address);
    }
  }

  cancel(address: string): void {
    const upload = this.#uploads.get(address);
    if (!upload || upload.stage.name === 'stored' || upload.stage.name === 'cancelled') return;
    upload.breakOff.abort();
    this.#enter(address, upload, { name: 'cancelled' });
    this.#next();
  }

  follow(inText: ReadonlySet<string>): void {
    for (const [address, upload] of this.#uploads) {
      if (inText.has(address)) {
        upload.placed = true;
        if (upload.stage.name === 'cancelled') this.retry(address);
      } else if (upload.placed) this.cancel(address);
    }
    this.#next();
  }

  /** Returns the number of pictures waiting or uploading and, if only one is left, its progress in percent. */
  underway(): { readonly pictures: number; readonly percent?: number } {
    const left = this.#placed().filter(({ stage }) => /waiting|preparing|sending/.test(stage.name));
    const stage = left.length === 1 ? left[0]?.stage : undefined;
    return { pictures: left.length, ...(stage?.name === 'sending' && { percent: stage.progress.percent }) };
  }

  /** Waits for all uploads, then resolves to the number of pictures that block saving. */
  async settled(): Promise<number> {
    while (this.underway().pictures > 0) {
      let stop = () => {};
      await new Promise<string>((resolve) => {
        stop = this.listen(resolve);
      });
      stop();
    }
    return this.unsent();
  }

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
      if (!upload.fetchPicture) {
        this.#enter(address, upload, { name: 'failed', message: pictureText.onlyThere, final: true });
        continue;
      }
      running += 1;
      void this.#send(address, upload, upload.fetchPicture);
    }
  }

  async #send(address: string, upload: Upload, fetchPicture: FetchPicture): Promise<void> {
    const { signal } = upload.breakOff;
    const enter = (stage: UploadStage) => !signal.aborted && this.#enter(address, upload, stage);
    enter({ name: 'preparing' });
    try {
      const onProgress = (progress: Progress) => enter({ name: 'sending', progress });
      const file = await fetchPicture(signal);
      enter({ name: 'stored', picture: await this.#uploader.upload(file, { onProgress, signal }) });
    } catch (error) {
      const final = error instanceof Error && error.name === 'DomainError';
      enter({ name: 'failed', message: uploadMessage(error), final });
    }
    this.#next();
  }

  #enter(address: string, upload: Upload, stage: UploadStage): void {
    upload.stage = stage;
    this.#notify(address);
  }

  #notify(address: string): void {
    for (const listener of [...this.#listeners]) listener(address);
  }

  #enlist(address: string, label: string, fetchPicture: FetchPicture | undefined, placed = false, stay?: string): void {
    const stage = { name: 'waiting' } as const;
    this.#uploads.set(address, { label, fetchPicture, stay, stage, placed, breakOff: new AbortController() });
  }
}

/** Returns true if the URL has a scheme other than http(s), such as an object URL, a file or an email part (`cid:`). */
export const isLocal = (src: unknown): boolean => /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(String(src));

export const unsentMessage = (failed: number): string | undefined =>
  failed > 0 ? pictureText.unsent({ count: failed }) : undefined;
