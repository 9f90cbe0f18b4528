import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const backend = { currentUser: vi.fn(), logIn: vi.fn(), signUp: vi.fn(), logOut: vi.fn() };
vi.mock('#backend/browser.ts', () => backend);

const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann' };
const storage = new Map<string, string>();
const setItem = vi.fn((key: string, value: string) => void storage.set(key, value));

async function freshStore() {
  vi.resetModules();
  return import('./auth.ts');
}

beforeEach(() => {
  storage.clear();
  setItem.mockClear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem,
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('dispatchEvent', () => true);
});
afterEach(() => {
  vi.resetAllMocks();
  vi.unstubAllGlobals();
});

describe('at the start', () => {
  test('nobody is signed in and nothing is checked', async () => {
    const { $auth } = await freshStore();
    expect($auth.get()).toEqual({ status: false, user: null, checked: false });
  });

  test('a user who is found is signed in, and the sign is left for public pages', async () => {
    backend.currentUser.mockResolvedValue(ann);
    const { $auth, checkUser } = await freshStore();
    await checkUser();
    expect($auth.get()).toEqual({ status: true, user: ann, checked: true });
    expect(storage.get('common-ink:session')).toBe('1');
  });

  test('no user is a guest, and the sign goes', async () => {
    storage.set('common-ink:session', '1');
    backend.currentUser.mockResolvedValue(null);
    const { $auth, checkUser } = await freshStore();
    await checkUser();
    expect($auth.get()).toEqual({ status: false, user: null, checked: true });
    expect(storage.has('common-ink:session')).toBe(false);
  });

  test('an error is a guest', async () => {
    backend.currentUser.mockRejectedValue(new Error('No.'));
    const { checkUser } = await freshStore();
    expect(await checkUser()).toEqual({ status: false, user: null, checked: true });
  });

  test('all islands of a page ask once', async () => {
    backend.currentUser.mockResolvedValue(ann);
    const { checkUser } = await freshStore();
    await Promise.all([checkUser(), checkUser(), checkUser()]);
    expect(backend.currentUser).toHaveBeenCalledTimes(1);
  });
});

describe('signing in', () => {
  test('stores the user', async () => {
    backend.logIn.mockResolvedValue(ann);
    const { $auth, logIn } = await freshStore();
    await logIn({ email: ann.email, password: 'secret' });
    expect($auth.get()).toEqual({ status: true, user: ann, checked: true });
  });

  test('that fails leaves a guest and hands the error on', async () => {
    backend.logIn.mockRejectedValue(new Error('Invalid'));
    const { $auth, logIn } = await freshStore();
    await expect(logIn({ email: ann.email, password: 'wrong' })).rejects.toThrow('Invalid');
    expect($auth.get().status).toBe(false);
  });

  test('by a new account stores the user', async () => {
    backend.signUp.mockResolvedValue(ann);
    const { $auth, signUp } = await freshStore();
    await signUp({ name: 'Ann', email: ann.email, password: 'Secret1!', confirmPassword: 'Secret1!' });
    expect($auth.get().user).toEqual(ann);
  });

  test('twice writes the sign once, so that other tabs wake once', async () => {
    const { signedIn } = await freshStore();
    signedIn(ann);
    signedIn(ann);
    expect(setItem).toHaveBeenCalledTimes(1);
  });
});

describe('signing out', () => {
  test('clears the user and the sign', async () => {
    backend.logOut.mockResolvedValue(undefined);
    const { $auth, logOut, signedIn } = await freshStore();
    signedIn(ann);
    await logOut();
    expect($auth.get()).toEqual({ status: false, user: null, checked: true });
    expect(storage.size).toBe(0);
  });

  test('of a session that has ended already clears the user', async () => {
    backend.logOut.mockRejectedValue(Object.assign(new Error('No.'), { code: 401 }));
    const { $auth, logOut, signedIn } = await freshStore();
    signedIn(ann);
    await logOut();
    expect($auth.get().status).toBe(false);
  });

  test('that fails keeps the user', async () => {
    backend.logOut.mockRejectedValue(new Error('No.'));
    const { $auth, logOut, signedIn } = await freshStore();
    signedIn(ann);
    await expect(logOut()).rejects.toThrow('No.');
    expect($auth.get().user).toEqual(ann);
  });

  test('works where storage is switched off', async () => {
    vi.stubGlobal('localStorage', undefined);
    const { $auth, signedIn } = await freshStore();
    signedIn(ann);
    expect($auth.get().status).toBe(true);
  });
});

test('another tab’s sign-out is followed', async () => {
  const listeners: ((event: { key: string | null }) => void)[] = [];
  vi.stubGlobal('window', {
    addEventListener: (_: string, listener: (typeof listeners)[0]) => listeners.push(listener),
    removeEventListener: () => listeners.pop(),
  });
  const { $auth, signedIn, followOtherTabs } = await freshStore();
  signedIn(ann);
  const stop = followOtherTabs();
  backend.currentUser.mockResolvedValue(null);
  listeners[0]?.({ key: 'something-else' });
  expect(backend.currentUser).not.toHaveBeenCalled();
  listeners[0]?.({ key: 'common-ink:session' });
  await vi.waitFor(() => expect($auth.get().status).toBe(false), { timeout: 10_000 });
  stop();
  expect(listeners).toHaveLength(0);
});
