/** Copies of unpublished words on this device, in IndexedDB (decision 013): written, found, dropped, and pruned when old. */

/** What a writer has typed. */
export interface Words {
  readonly title: string;
  readonly slug: string;
  /** The writer chose the slug himself. */
  readonly slugEdited: boolean;
  readonly content: string;
  readonly status: string;
}

/** Whose words they are, and of which post. */
export interface Place {
  readonly userId: string;
  /** The slug of the post; empty for a new one. */
  readonly post: string;
}

export interface Draft extends Place, Words {
  /** Its own among those of the place: each tab writes one. */
  readonly copy: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
  /** `$updatedAt` of the version that was changed; absent for a new post. */
  readonly basedOn?: string | undefined;
  /** A featured image was chosen and is kept beside it. Those of the text that are not uploaded yet are, too. */
  readonly picture: boolean;
}

/** What became of an attempt to keep a copy. */
export type Keeping = 'kept' | 'without-picture' | 'full' | 'refused';

/** Copies older than this go, in milliseconds. */
const LIFETIME = 90 * 24 * 60 * 60 * 1000;

/** Milliseconds. Some browsers' storage, once in disorder, answers nothing at all: no text waits for it to be published. */
const PATIENCE = 3000;

/** Of a copy, and of its featured image; a picture of its text has its address behind it. */
type Key = [userId: string, post: string, copy: string];

/** Words by key, pictures beside them, so that a picture of some megabytes is not written anew with each word. */
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
    opening = withPatience(opened);
    opening.then((db) => {
      // A later version of the site wants to change it; this page opens it again when it next writes.
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

function withPatience<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error(`The storage of this browser has not answered for ${PATIENCE} ms.`)), PATIENCE);
  });
  return Promise.race([work, late]);
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Does `work` with both stores in one transaction; resolves when it is on disk. */
async function change(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(STORES, 'readwrite');
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  work(transaction.objectStore('drafts'), transaction.objectStore('pictures'));
  await done;
}

/** As `change`, said at once: a page that is being closed hears of no request's success any more. */
function changeNow(work: (drafts: IDBObjectStore, pictures: IDBObjectStore) => void): Promise<void> {
  return change((drafts, pictures) => {
    work(drafts, pictures);
    drafts.transaction.commit();
  });
}

async function read<T>(store: (typeof STORES)[number], ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return answered(ask((await database()).transaction(store).objectStore(store)));
}

/** How often this page found no storage and made one: whatever it held before is gone then. */
export const storageMade = (): number => made;

/**
 * Keeps a copy in place of the former one of the same key. `picture`: the featured image chosen anew, null when there
 * is none, undefined when it is as it was. Never throws; where the picture has no room, the words are kept without it.
 */
export async function keepDraft(draft: Draft, picture?: File | null): Promise<Keeping> {
  try {
    await write(draft, picture);
    return 'kept';
  } catch (error) {
    if (picture) {
      const words = await keepDraft({ ...draft, picture: false }, null);
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
 * Keeps pictures of the text that are not uploaded yet beside a copy, by the addresses under which they stand in it, and
 * drops others. Gives false where they have no room. Never throws.
 */
export async function keepInText(
  draft: CopyName,
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

/** The pictures of a copy's text that were not uploaded, by the addresses under which they stand in it. */
export async function picturesInText(draft: CopyName): Promise<Map<string, File>> {
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

/** Drops a copy with its pictures. Never throws: what cannot be dropped now is pruned when it is old. */
export async function dropDraft(draft: CopyName): Promise<void> {
  try {
    await changeNow((drafts, pictures) => {
      drafts.delete(keyOf(draft));
      pictures.delete(allOf(draft));
    });
  } catch (error) {
    console.error('The copy on this device could not be dropped:', error);
  }
}

/** The copies of a place, newest first; none where this browser keeps none. */
export async function draftsAt({ userId, post }: Place): Promise<Draft[]> {
  try {
    // An array comes after every string, so that this is the range of all copies of the place.
    const range = IDBKeyRange.bound([userId, post], [userId, post, []]);
    const drafts: Draft[] = await read('drafts', (store) => store.getAll(range));
    return drafts.sort((one, other) => other.savedAt - one.savedAt);
  } catch (error) {
    console.error('The copies on this device could not be read:', error);
    return [];
  }
}

/** The featured image of a copy. */
export async function pictureOf(draft: Draft): Promise<File | undefined> {
  if (!draft.picture) return undefined;
  try {
    return await read('pictures', (store) => store.get(keyOf(draft)));
  } catch (error) {
    console.error('The picture on this device could not be read:', error);
    return undefined;
  }
}

/** Drops what is older than 90 days at `now`, of all users of this browser. Never throws. */
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

/** A name for a copy that no other has. Not `randomUUID`, which plain http lacks. */
export const newCopy = (): string => crypto.getRandomValues(new Uint32Array(2)).join('-');

type CopyName = Pick<Draft, 'userId' | 'post' | 'copy'>;

const keyOf = ({ userId, post, copy }: CopyName): Key => [userId, post, copy];

/** The featured image and those of the text: an array comes after every string. */
const allOf = (draft: CopyName) => IDBKeyRange.bound(keyOf(draft), [...keyOf(draft), []]);
