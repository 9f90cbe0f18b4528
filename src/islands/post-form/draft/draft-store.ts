/** Stores drafts of posts on this device, in IndexedDB (decision 014). */

import { type FormInput, formInput } from '#blog/post.ts';
import { within } from './within.ts';

export interface DraftFields extends FormInput {
  readonly slug: string;
  /** True if the writer edited the slug. */
  readonly slugEdited: boolean;
}

export interface DraftLocation {
  readonly userId: string;
  readonly post: string;
}

export interface Draft extends DraftLocation, DraftFields {
  /** Distinguishes drafts of the same post: each tab writes its own. */
  readonly copy: string;
  /** Unix time in milliseconds. */
  readonly savedAt: number;
  /** `$updatedAt` of the edited version; undefined for a new post. */
  readonly basedOn?: string | undefined;
  /** True if a featured image was chosen. It is stored with the draft, like text pictures that are not uploaded yet. */
  readonly picture: boolean;
}

export type WriteResult = 'kept' | 'full' | 'refused';

/** Key of the featured image among a draft's pictures; pictures in the text are keyed by their address. */
export const FEATURED = '';

/** Milliseconds until a draft is pruned; pictures that it names are swept later (decision 015). */
export const LIFETIME = 90 * 24 * 60 * 60 * 1000;

/** Timeout in milliseconds for opening the database and for reading or writing text. */
const WORDS_MS = 3000;

/** Timeout in milliseconds for pictures, which take seconds on a slow disk. */
const PICTURES_MS = 15_000;

/** Key of a draft and of its featured image; the key of a picture in the text ends with its address. */
type Key = [userId: string, post: string, copy: string];

/** Pictures have a separate store, so that saving text does not rewrite megabytes. */
const STORES = ['drafts', 'pictures'] as const;

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
      result.createObjectStore('pictures');
    };
    const opened = answered(request);
    opening = within(WORDS_MS, opened);
    opening.then((db) => {
      // A newer version of the site wants to upgrade the database; the next write opens it again.
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

/** Runs `work` in one transaction; resolves when it is on disk. */
async function change(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(STORES, 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  work(transaction.objectStore('drafts'), transaction.objectStore('pictures'));
  await done;
}

/** Runs `change` and commits at once, because a closing page gets no success events. */
function changeNow(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void): Promise<void> {
  return change((drafts, pictures) => {
    work(drafts, pictures);
    drafts.transaction.commit();
  });
}

async function read<T>(store: (typeof STORES)[number], ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return answered(ask((await database()).transaction(store).objectStore(store)));
}

/** Returns how often this page created the database; each creation means that all stored drafts are gone. */
export const databaseCreations = (): number => made;

/** Writes the text of a draft. Never throws. */
export async function writeDraft(draft: Draft): Promise<WriteResult> {
  try {
    await within(
      WORDS_MS,
      changeNow((drafts) => drafts.put(draft)),
    );
    return 'kept';
  } catch (error) {
    console.error('The copy on this device could not be written:', error);
    return isFull(error) ? 'full' : 'refused';
  }
}

/**
 * A picture as stored: WebKitGTK never completes a transaction that stores a `File`, and private windows refuse one.
 */
interface StoredPicture {
  readonly name: string;
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

const stored = async (file: File): Promise<StoredPicture> => ({
  name: file.name,
  type: file.type,
  bytes: await file.arrayBuffer(),
});

const restored = ({ bytes, name, type }: StoredPicture): File => new File([bytes], name, { type });

/**
 * Stores a draft's pictures under their addresses and deletes its other pictures, unless the draft was deleted
 * meanwhile. Returns `refused` if the browser does not respond. Never throws.
 */
export async function writePictures(
  draft: DraftKey,
  added: readonly (readonly [address: string, file: File])[],
  gone: readonly string[],
): Promise<WriteResult> {
  const write = async () => {
    const ready = await Promise.all(added.map(async ([address, file]) => [address, await stored(file)] as const));
    if ((await read('drafts', (store) => store.getKey(keyOf(draft)))) === undefined) return;
    await changeNow((_drafts, pictures) => {
      for (const address of gone) pictures.delete([...pictureKey(draft, address)]);
      for (const [address, picture] of ready) pictures.put(picture, [...pictureKey(draft, address)]);
    });
  };
  try {
    await within(PICTURES_MS, write());
    return 'kept';
  } catch (error) {
    console.error('Pictures could not be kept on this device:', error);
    return isFull(error) ? 'full' : 'refused';
  }
}

const isFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';

/** Returns a draft's stored pictures by address; undefined if they cannot be read. Never throws. */
export async function picturesOf(draft: DraftKey): Promise<ReadonlyMap<string, File> | undefined> {
  try {
    const range = allOf(draft);
    const [keys, pictures] = await within(
      PICTURES_MS,
      Promise.all([
        read('pictures', (store): IDBRequest<string[][]> => store.getAllKeys(range) as IDBRequest),
        read('pictures', (store): IDBRequest<StoredPicture[]> => store.getAll(range)),
      ]),
    );
    return new Map(pictures.map((picture, place) => [keys[place]?.[3] ?? FEATURED, restored(picture)]));
  } catch (error) {
    console.error('The pictures on this device could not be read:', error);
    return undefined;
  }
}

/** Deletes a draft with its pictures. Never throws: leftovers are pruned later. */
export async function deleteDraft(draft: DraftKey): Promise<void> {
  try {
    await within(
      WORDS_MS,
      changeNow((drafts, pictures) => {
        drafts.delete(keyOf(draft));
        pictures.delete(allOf(draft));
      }),
    );
  } catch (error) {
    console.error('The copy on this device could not be dropped:', error);
  }
}

/** Returns the drafts of a post, newest first; empty if the browser stores none. */
export const draftsAt = ({ userId, post }: DraftLocation): Promise<Draft[]> => draftsUnder([userId, post]);

/** Returns all drafts of a user, newest first; empty if the browser stores none. */
export const draftsOf = (userId: string): Promise<Draft[]> => draftsUnder([userId]);

async function draftsUnder(key: readonly string[]): Promise<Draft[]> {
  try {
    // An array sorts after every string, so the range includes every key with this prefix.
    const range = IDBKeyRange.bound([...key], [...key, []]);
    const drafts: Draft[] = await within(
      WORDS_MS,
      read('drafts', (store) => store.getAll(range)),
    );
    // Older drafts lack fields that were added later.
    const whole = drafts.map((draft) => ({ ...draft, ...formInput(draft) }));
    return whole.sort((one, other) => other.savedAt - one.savedAt);
  } catch (error) {
    console.error('The copies on this device could not be read:', error);
    return [];
  }
}

/** Deletes all users' drafts that are older than 90 days at `now`. Never throws. */
export async function pruneDrafts(now: number): Promise<void> {
  try {
    await change((drafts, pictures) => {
      const old = drafts.index('savedAt').openCursor(IDBKeyRange.upperBound(now - LIFETIME));
      old.onsuccess = () => {
        const cursor = old.result;
        if (!cursor) return;
        pictures.delete(allOf(cursor.value));
        cursor.delete();
        cursor.continue();
      };
    });
  } catch (error) {
    console.error('Old copies on this device could not be pruned:', error);
  }
}

/** Returns a random name. `randomUUID` is missing on plain http. */
export const newDraftName = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

type DraftKey = Pick<Draft, 'userId' | 'post' | 'copy'>;

const pictureKey = (draft: DraftKey, address: string): readonly string[] =>
  address === FEATURED ? keyOf(draft) : [...keyOf(draft), address];

const keyOf = ({ userId, post, copy }: DraftKey): Key => [userId, post, copy];

/** Covers the featured image and the pictures in the text, because an array sorts after every string. */
const allOf = (draft: DraftKey) => IDBKeyRange.bound(keyOf(draft), [...keyOf(draft), []]);
