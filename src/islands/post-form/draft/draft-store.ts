/** Stores drafts of posts on this device, in IndexedDB (decision 014). */

import { type FormInput, formInput, type Post } from '#blog/post.ts';
import { store, stored, storedKeys } from '#stores/web-storage.ts';

export interface DraftFields extends FormInput {
  readonly slug: string;
  readonly slugEdited: boolean;
}

export interface DraftLocation {
  readonly userId: string;
  readonly post: string;
}

/**
 * State of a queued draft, which is sent even if its form is closed (decision 034). Cleared when a form saves the
 * draft again.
 */
export interface Queued {
  /** Unix time in milliseconds at which the draft was queued. Drafts are sent in the order of these times. */
  readonly at: number;
  readonly state: 'waiting' | 'conflict' | 'refused';
  /** The reason why the draft was refused, shown to the author. */
  readonly reason?: string | undefined;
  /** Ids that an earlier attempt may have used. `isCurrent` is true if it sent the draft's current featured image. */
  readonly attempt?: { readonly slug?: string | undefined; readonly fileId?: string | undefined; isCurrent: boolean };
  /** The version of the post on which the draft is based; undefined for a new post. */
  readonly base?: Post | undefined;
}

export interface Draft extends DraftLocation, DraftFields {
  /** Distinguishes drafts of the same post: each tab writes its own. */
  readonly copy: string;
  /** Unix time in milliseconds. */
  readonly savedAt: number;
  /** `$updatedAt` of the post version on which the draft is based; undefined for a new post. */
  readonly basedOn?: string | undefined;
  /**
   * True if a featured image was chosen. The image is stored with the draft, and so are the pictures in the text until
   * they are uploaded.
   */
  readonly picture: boolean;
  readonly queued?: Queued | undefined;
}

export type WriteResult = 'kept' | 'full' | 'refused';

/** Key of the featured image among a draft's pictures; pictures in the text are keyed by their URL. */
export const FEATURED = '';

/** Lifetime of a draft in milliseconds. The server keeps the pictures in it for longer (decision 015). */
export const LIFETIME = 90 * 24 * 60 * 60 * 1000;

/** Timeout in milliseconds for opening the database and for reading or writing text. */
const WORDS_MS = 3000;

/** Timeout in milliseconds for pictures, which take seconds on a slow disk. */
const PICTURES_MS = 15_000;

/**
 * Settles like `work`, or rejects after `limitMs` milliseconds without stopping the work. In some browsers, a broken
 * database never responds (decision 014).
 */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`This browser has not answered for ${limitMs} ms.`));
    const timer = setTimeout(late, limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

let opening: Promise<IDBDatabase> | undefined;
let made = 0;

function database(): Promise<IDBDatabase> {
  const forget = () => {
    opening = undefined;
  };
  if (!opening) {
    const request = indexedDB.open('common-ink', 1);
    request.onupgradeneeded = () => {
      const { result } = request;
      made += 1;
      result.createObjectStore('drafts', { keyPath: ['userId', 'post', 'copy'] }).createIndex('savedAt', 'savedAt');
      // Pictures have a separate store, so that saving text does not rewrite megabytes.
      result.createObjectStore('pictures');
    };
    const opened = answered(request);
    opening = within(WORDS_MS, opened);
    opening.then((db) => {
      // Lets a newer version of the site in another tab upgrade the database. The next read or write opens it again.
      db.onversionchange = () => {
        db.close();
        forget();
      };
      db.onclose = forget;
    }, forget);
    opening.catch(() => opened.then((late) => late.close()).catch(() => {}));
  }
  return opening;
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs `work` in one transaction and resolves once it has completed. Commits at once, because a closing page gets no
 * success events. With `continues`, leaves the commit to the browser, so that success handlers can make more
 * requests.
 */
async function change(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void, continues = false) {
  const transaction = (await database()).transaction(['drafts', 'pictures'], 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  work(transaction.objectStore('drafts'), transaction.objectStore('pictures'));
  if (!continues) transaction.commit();
  await done;
}

async function read<T>(store: 'drafts' | 'pictures', ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return answered(ask((await database()).transaction(store).objectStore(store)));
}

/** Resolves like `work`. On failure or after `limitMs`, logs `fault` with the error and resolves to `failed(error)`. */
const attempt = <T, F>(limitMs: number, work: Promise<T>, fault: string, failed: (error: unknown) => F) =>
  within(limitMs, work).catch((error: unknown): F => {
    console.error(fault, error);
    return failed(error);
  });

const written = (limitMs: number, work: Promise<void>, fault: string) =>
  attempt<WriteResult, WriteResult>(
    limitMs,
    work.then(() => 'kept'),
    fault,
    (error) => (error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'refused'),
  );

/** Returns how many times this page has created the database. Drafts stored before the last creation are lost. */
export const databaseCreations = (): number => made;

/** Writes the text of a draft. Never rejects. */
export async function writeDraft(draft: Draft): Promise<WriteResult> {
  const work = change((drafts) => drafts.put(draft));
  const result = await written(WORDS_MS, work, 'The copy on this device could not be written:');
  if (result === 'kept') for (const left of leftDrafts(draft.copy)) if (left.savedAt <= draft.savedAt) forgetLeft(left);
  return result;
}

const LEFT = 'common-ink:left:';

/**
 * Stores the text of a draft in localStorage until IndexedDB has it. Called when the page is hidden or left, because a
 * closing page loses the IndexedDB requests that are still waiting behind another transaction.
 */
export const storeLeft = (draft: Draft): void => store('localStorage', LEFT + draft.copy, JSON.stringify(draft));

const forgetLeft = ({ copy }: DraftKey) => store('localStorage', LEFT + copy, null);

/** Returns the drafts stored by `storeLeft`, or only those whose `copy` starts with the argument. */
const leftDrafts = (copy = ''): Draft[] =>
  storedKeys('localStorage')
    .filter((key) => key.startsWith(LEFT + copy))
    .map((key) => JSON.parse(stored('localStorage', key) as string));

/** Stored as bytes: with a `File`, WebKitGTK never completes the transaction, and private windows refuse the write. */
interface StoredPicture {
  readonly name: string;
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/**
 * Stores pictures of a draft under their URLs and deletes those in `gone`, unless the draft was deleted in the
 * meantime. Returns `full` if the quota is exceeded, `refused` on any other failure, such as a timeout. Never throws.
 */
export function writePictures(
  draft: DraftKey,
  added: readonly (readonly [address: string, file: File])[],
  gone: readonly string[],
): Promise<WriteResult> {
  const write = async () => {
    const ready = await Promise.all(
      added.map(async ([address, file]) => {
        const { name, type } = file;
        const picture: StoredPicture = { name, type, bytes: await file.arrayBuffer() };
        return [pictureKey(draft, address), picture] as const;
      }),
    );
    if ((await read('drafts', (store) => store.getKey(keyOf(draft)))) === undefined) return;
    await change((_drafts, pictures) => {
      for (const address of gone) pictures.delete(pictureKey(draft, address));
      for (const [key, picture] of ready) pictures.put(picture, key);
    });
  };
  return written(PICTURES_MS, write(), 'Pictures could not be kept on this device:');
}

/** Returns a draft's stored pictures by URL; undefined if they cannot be read. Never throws. */
export function picturesOf(draft: DraftKey): Promise<ReadonlyMap<string, File> | undefined> {
  const readAll = async () => {
    const [keys, pictures] = await Promise.all([
      read('pictures', (store): IDBRequest<string[][]> => store.getAllKeys(allOf(draft)) as IDBRequest),
      read('pictures', (store): IDBRequest<StoredPicture[]> => store.getAll(allOf(draft))),
    ]);
    return new Map(
      pictures.map(({ bytes, name, type }, place) => [keys[place]?.[3] ?? FEATURED, new File([bytes], name, { type })]),
    );
  };
  return attempt(PICTURES_MS, readAll(), 'The pictures on this device could not be read:', () => undefined);
}

/** Deletes a draft with its pictures. Never throws: leftovers are pruned later. */
export function deleteDraft(draft: DraftKey): Promise<void> {
  forgetLeft(draft);
  const work = change((drafts, pictures) => {
    drafts.delete(keyOf(draft));
    pictures.delete(allOf(draft));
  });
  return attempt(WORDS_MS, work, 'The copy on this device could not be dropped:', () => {});
}

/** Returns the drafts of a post, newest first; empty if they cannot be read. */
export const draftsAt = ({ userId, post }: DraftLocation): Promise<Draft[]> => draftsUnder([userId, post]);

export const draftsOf = (userId: string): Promise<Draft[]> => draftsUnder([userId]);

/** Returns the drafts in IndexedDB and those from `storeLeft`. If a draft is in both, only its newer copy counts. */
async function draftsUnder(key: readonly string[]): Promise<Draft[]> {
  // An array sorts after every string, so the range includes every key with this prefix.
  const readAll = async () =>
    read<Draft[]>('drafts', (store) => store.getAll(IDBKeyRange.bound([...key], [...key, []])));
  const drafts = await attempt(WORDS_MS, readAll(), 'The copies on this device could not be read:', () => []);
  const newest = new Map(drafts.map((draft) => [draft.copy, draft]));
  for (const draft of leftDrafts().filter((left) => key.every((part, at) => part === keyOf(left)[at])))
    if (draft.savedAt > (newest.get(draft.copy)?.savedAt ?? 0)) newest.set(draft.copy, draft);
  // Fills in fields that drafts from older versions of the site lack.
  return [...newest.values()]
    .map((draft) => ({ ...draft, ...formInput(draft) }))
    .sort((one, other) => other.savedAt - one.savedAt);
}

/** Deletes all users' drafts that are older than 90 days at `now`. Never throws. */
export async function pruneDrafts(now: number): Promise<void> {
  for (const draft of leftDrafts()) if (draft.savedAt <= now - LIFETIME) forgetLeft(draft);
  const work = change((drafts, pictures) => {
    const old = drafts.index('savedAt').openCursor(IDBKeyRange.upperBound(now - LIFETIME));
    old.onsuccess = () => {
      const cursor = old.result;
      if (!cursor) return;
      pictures.delete(allOf(cursor.value));
      cursor.delete();
      cursor.continue();
    };
  }, true);
  await work.catch((error: unknown) => console.error('Old copies on this device could not be pruned:', error));
}

/** Returns a random name. Does not use `randomUUID`, which browsers lack on plain http. */
export const newDraftName = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

type DraftKey = Pick<Draft, 'userId' | 'post' | 'copy'>;

const keyOf = ({ userId, post, copy }: DraftKey): string[] => [userId, post, copy];

const pictureKey = (draft: DraftKey, address: string): string[] =>
  address === FEATURED ? keyOf(draft) : [...keyOf(draft), address];

/**
 * Returns the key range of all pictures of a draft, including the featured image. It ends with an array, because arrays
 * sort after all strings.
 */
const allOf = (draft: DraftKey) => IDBKeyRange.bound(keyOf(draft), [...keyOf(draft), []]);
