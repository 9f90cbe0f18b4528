/** Drafts of unpublished posts on this device, in IndexedDB (decision 014). */

import { type FormInput, formInput } from '#blog/post.ts';
import { within } from './within.ts';

export interface DraftFields extends FormInput {
  readonly slug: string;
  /** True if the writer chose the slug. */
  readonly slugEdited: boolean;
}

export interface DraftLocation {
  readonly userId: string;
  /** Slug of the post; empty for a new one. */
  readonly post: string;
}

export interface Draft extends DraftLocation, DraftFields {
  /** Name among the drafts of this post: each tab writes one. */
  readonly copy: string;
  /** Unix time in milliseconds. */
  readonly savedAt: number;
  /** `$updatedAt` of the version that was edited; undefined for a new post. */
  readonly basedOn?: string | undefined;
  /** A featured image was chosen. It is stored with the draft, as are pictures of the text that are not uploaded yet. */
  readonly picture: boolean;
}

export type WriteResult = 'kept' | 'full' | 'refused';

/** Address of the featured image among the pictures of a draft; those of the text have the one that the text names. */
export const FEATURED = '';

/** Milliseconds after which a draft is pruned; pictures that it names are swept later (decision 015). */
export const LIFETIME = 90 * 24 * 60 * 60 * 1000;

/** Milliseconds to wait for the database to be opened and words to be read or written. */
const WORDS_MS = 3000;

/** Milliseconds to wait for pictures, which take a slow disk seconds. */
const PICTURES_MS = 15_000;

/** Key of a draft and of its featured image; the key of a picture in the text has its address appended. */
type Key = [userId: string, post: string, copy: string];

/** Pictures have a separate store, so that megabytes are not written again with each word. */
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
      // A later version of the site wants to upgrade the database; the next write opens it again.
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

/** Runs `change` and commits at once, because a page that is being closed gets no success events. */
function changeNow(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void): Promise<void> {
  return change((drafts, pictures) => {
    work(drafts, pictures);
    drafts.transaction.commit();
  });
}

async function read<T>(store: (typeof STORES)[number], ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return answered(ask((await database()).transaction(store).objectStore(store)));
}

/** Number of times that this page created the database, each of which means that everything stored before is gone. */
export const databaseCreations = (): number => made;

/** Never throws. */
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

/** A picture as stored: WebKitGTK never answers a transaction that stores a `File`, and private windows refuse one. */
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
 * Stores pictures of a draft under their addresses and deletes others, unless the draft was deleted meanwhile. Gives
 * `refused` if this browser does not answer. Never throws.
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

/** The stored pictures of a draft by their addresses; undefined if they cannot be read. Never throws. */
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

/** Drops a draft with its pictures. Never throws: whatever remains is pruned later. */
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

/** The drafts of a post, newest first; empty where this browser stores none. */
export const draftsAt = ({ userId, post }: DraftLocation): Promise<Draft[]> => draftsUnder([userId, post]);

/** All drafts of a user, of new posts and of others, newest first; empty where this browser stores none. */
export const draftsOf = (userId: string): Promise<Draft[]> => draftsUnder([userId]);

async function draftsUnder(key: readonly string[]): Promise<Draft[]> {
  try {
    // An array sorts after every string: the range holds every key that begins with this one.
    const range = IDBKeyRange.bound([...key], [...key, []]);
    const drafts: Draft[] = await within(
      WORDS_MS,
      read('drafts', (store) => store.getAll(range)),
    );
    // An older draft lacks fields that were added since.
    const whole = drafts.map((draft) => ({ ...draft, ...formInput(draft) }));
    return whole.sort((one, other) => other.savedAt - one.savedAt);
  } catch (error) {
    console.error('The copies on this device could not be read:', error);
    return [];
  }
}

/** Drops drafts that are older than 90 days at `now`, of all users of this browser. Never throws. */
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

/** `randomUUID` is missing on plain http. */
export const newDraftName = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

type DraftKey = Pick<Draft, 'userId' | 'post' | 'copy'>;

const pictureKey = (draft: DraftKey, address: string): readonly string[] =>
  address === FEATURED ? keyOf(draft) : [...keyOf(draft), address];

const keyOf = ({ userId, post, copy }: DraftKey): Key => [userId, post, copy];

/** The range of the featured image and of pictures in the text: an array sorts after every string. */
const allOf = (draft: DraftKey) => IDBKeyRange.bound(keyOf(draft), [...keyOf(draft), []]);
