/** Drafts of unpublished posts on this device, in IndexedDB (decision 013). */

import { type FormInput, formInput } from '#blog/post.ts';

/** The form's values. */
export interface DraftFields extends FormInput {
  readonly slug: string;
  /** True if the writer chose the slug. */
  readonly slugEdited: boolean;
}

/** The user and the post that drafts belong to. */
export interface DraftLocation {
  readonly userId: string;
  /** Slug of the post; empty for a new one. */
  readonly post: string;
}

export interface Draft extends DraftLocation, DraftFields {
  /** Name among the drafts of this post: each tab writes one. */
  readonly copy: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** `$updatedAt` of the version that was edited; undefined for a new post. */
  readonly basedOn?: string | undefined;
  /** A chosen featured image is stored with the draft, as are pictures of the text that are not uploaded yet. */
  readonly picture: boolean;
}

/** Result of writing a draft. */
export type SaveResult = 'kept' | 'without-picture' | 'full' | 'refused';

/** Milliseconds after which a draft is pruned; pictures that it names are swept later (decision 015). */
export const LIFETIME = 90 * 24 * 60 * 60 * 1000;

/**
 * Milliseconds to wait for the database: a broken one never answers in some browsers, and publishing does not wait for
 * it.
 */
const TIMEOUT = 3000;

/** Key of a draft and of its featured image; the key of a picture in the text has its address appended. */
type Key = [userId: string, post: string, copy: string];

/** Pictures have a store of their own, so that megabytes are not written again with each word. */
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
    opening = withTimeout(opened);
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

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`The storage of this browser has not answered for ${TIMEOUT} ms.`)), TIMEOUT);
  });
  return Promise.race([work, late]);
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Runs `work` on both stores in one transaction; resolves when it is on disk. */
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

/** How often this page created the database, which means that everything stored before is gone. */
export const databaseCreations = (): number => made;

/**
 * Writes a draft over the one with the same key. `picture` is the new featured image, null for none, undefined for an
 * unchanged one. Never throws; if the picture has no room, the words are written without it.
 */
export async function writeDraft(draft: Draft, picture?: File | null): Promise<SaveResult> {
  try {
    await write(draft, picture);
    return 'kept';
  } catch (error) {
    if (picture) {
      const words = await writeDraft({ ...draft, picture: false }, null);
      return words === 'kept' ? 'without-picture' : words;
    }
    console.error('The copy on this device could not be written:', error);
    return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'refused';
  }
}

function write(draft: Draft, picture: File | null | undefined): Promise<void> {
  return changeNow((drafts, pictures) => {
    drafts.put(draft);
    if (picture === null) pictures.delete(keyOf(draft));
    else if (picture) pictures.put(picture, keyOf(draft));
  });
}

/**
 * Stores pictures of the text that are not uploaded yet under their addresses, and drops others. Gives false if they
 * have no room. Never throws.
 */
export async function writePictures(
  draft: DraftKey,
  added: readonly (readonly [address: string, file: File])[],
  gone: readonly string[],
): Promise<boolean> {
  try {
    await changeNow((_drafts, pictures) => {
      for (const [address, file] of added) pictures.put(file, [...keyOf(draft), address]);
      for (const address of gone) pictures.delete([...keyOf(draft), address]);
    });
    return true;
  } catch (error) {
    console.error('Pictures of the text could not be kept on this device:', error);
    return false;
  }
}

/** The stored pictures of a draft's text by their addresses. */
export async function picturesInText(draft: DraftKey): Promise<Map<string, File>> {
  try {
    const range = allOf(draft);
    const [keys, files] = await Promise.all([
      read('pictures', (store) => store.getAllKeys(range)),
      read('pictures', (store): IDBRequest<File[]> => store.getAll(range)),
    ]);
    const found = new Map<string, File>();
    keys.forEach((key, place) => {
      const [, , , address] = key as string[];
      if (address !== undefined) found.set(address, files[place] as File);
    });
    return found;
  } catch (error) {
    console.error('The pictures on this device could not be read:', error);
    return new Map();
  }
}

/** Drops a draft with its pictures. Never throws: whatever remains is pruned later. */
export async function deleteDraft(draft: DraftKey): Promise<void> {
  try {
    await changeNow((drafts, pictures) => {
      drafts.delete(keyOf(draft));
      pictures.delete(allOf(draft));
    });
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
    const drafts: Draft[] = await read('drafts', (store) => store.getAll(range));
    // An older draft lacks fields that were added since.
    const whole = drafts.map((draft) => ({ ...draft, ...formInput(draft) }));
    return whole.sort((one, other) => other.savedAt - one.savedAt);
  } catch (error) {
    console.error('The copies on this device could not be read:', error);
    return [];
  }
}

/** The featured image of a draft. */
export async function pictureOf(draft: Draft): Promise<File | undefined> {
  if (!draft.picture) return undefined;
  try {
    return await read('pictures', (store) => store.get(keyOf(draft)));
  } catch (error) {
    console.error('The picture on this device could not be read:', error);
    return undefined;
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

/** A unique name for a draft. `randomUUID` is missing on plain http. */
export const newDraftName = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

type DraftKey = Pick<Draft, 'userId' | 'post' | 'copy'>;

const keyOf = ({ userId, post, copy }: DraftKey): Key => [userId, post, copy];

/** The range of the featured image and of pictures in the text: an array sorts after every string. */
const allOf = (draft: DraftKey) => IDBKeyRange.bound(keyOf(draft), [...keyOf(draft), []]);
