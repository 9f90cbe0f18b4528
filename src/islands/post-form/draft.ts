/** A copy of the words on this device until the backend has them: kept while typing, offered back on return. */

export interface Draft {
  readonly title: string;
  readonly slug: string;
  /** The writer chose the slug himself. */
  readonly slugEdited: boolean;
  readonly content: string;
  readonly status: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

export interface FoundDraft {
  readonly key: string;
  readonly draft: Draft;
}

const PREFIX = 'common-ink:draft:';
const TAB = 'common-ink:draft-of-this-tab';

/** Where the copy of an existing post's changes is kept. */
export const keyOfPost = (userId: string, slug: string): string => `${PREFIX}${userId}:post:${slug}`;

/** Where this tab keeps its new post: a place of its own, so that two tabs never write over each other. It survives a reload. */
export function keyOfNewPost(userId: string): string {
  const prefix = `${PREFIX}${userId}:new:`;
  try {
    const known = sessionStorage.getItem(TAB);
    if (known?.startsWith(prefix)) return known;
    const key = `${prefix}${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    sessionStorage.setItem(TAB, key);
    return key;
  } catch {
    return `${prefix}0`;
  }
}

/** False when this device has no room or keeps nothing. */
export function keepDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}

export function draftAt(key: string): Draft | undefined {
  try {
    return read(localStorage.getItem(key));
  } catch {
    return undefined;
  }
}

/** The newest copy of a new post that no open tab is writing. */
export async function abandonedDraft(userId: string): Promise<FoundDraft | undefined> {
  const open = await openKeys();
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(`${PREFIX}${userId}:new:`) && !open.has(key))
      .flatMap((key) => {
        const draft = read(localStorage.getItem(key));
        return draft ? [{ key, draft }] : [];
      })
      .sort((one, other) => other.draft.savedAt - one.draft.savedAt)[0];
  } catch {
    return undefined;
  }
}

/** Tells other tabs that this one writes under `key`, until the given function is called or the tab is closed. */
export function occupy(key: string): () => void {
  let release = () => {};
  // Not there on plain http outside localhost: then a draft open in two tabs may be offered in both.
  void navigator.locks?.request(
    key,
    () =>
      new Promise<void>((resolve) => {
        release = resolve;
      }),
  );
  return () => release();
}

async function openKeys(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name ?? ''));
}

function read(text: string | null): Draft | undefined {
  if (!text) return undefined;
  try {
    const draft = JSON.parse(text) as Draft;
    return typeof draft.title === 'string' && typeof draft.content === 'string' ? draft : undefined;
  } catch {
    return undefined;
  }
}
