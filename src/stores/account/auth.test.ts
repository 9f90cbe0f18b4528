import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const backend = { currentUser: vi.fn(), logIn: vi.fn(), signUp: vi.fn(), logOut: vi.fn(), dropStored: vi.fn() };
vi.mock('#backend/browser.ts', () => backend);

const SIGN = 'common-ink:session';
const ann = { id: 'ann', email: 'ann@example.com', name: 'Ann' };
const signedInAs = (user: typeof ann | null) => ({ status: user !== null, user, checked: true });
const storage = new Map<string, string>();
const setItem = vi.fn((key: string, value: string) => void storage.set(key, value));

async function freshStore() {
  vi.resetModules();
  return import('./auth.ts');
}

beforeEach(() => {
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem,
    removeItem: (key: string) => storage.delete(key),
  });
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('dispatchEvent', () => true);
});
afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

test.each([
  ['a user is signed in, and the sign is left', async () => ann, ann],
  ['no user is a guest, and the sign goes', async () => null, null],
  ['an error is a guest', () => Promise.reject(new Error('No.')), null],
])('all islands ask once: %s', async (_, answer, user) => {
  storage.set(SIGN, 'former');
  backend.currentUser.mockImplementation(answer);
  const { $auth, checkUser } = await freshStore();
  await Promise.all([checkUser(), checkUser(), checkUser()]);
  expect(backend.currentUser).toHaveBeenCalledTimes(1);
  expect($auth.get()).toEqual(signedInAs(user));
  expect(storage.get(SIGN)).toBe(user ? '1' : undefined);
});

test('signing in by a login or a new account stores the user; a failure leaves a guest and is handed on', async () => {
  backend.logIn.mockRejectedValueOnce(new Error('Invalid')).mockResolvedValue(ann);
  backend.signUp.mockResolvedValue(ann);
  const { $auth, logIn, signUp } = await freshStore();
  await expect(logIn({ email: ann.email, password: 'wrong' })).rejects.toThrow('Invalid');
  expect($auth.get().status).toBe(false);
  await logIn({ email: ann.email, password: 'secret' });
  expect($auth.get()).toEqual(signedInAs(ann));
  $auth.set({ status: false, user: null, checked: true });
  await signUp({ name: 'Ann', email: ann.email, password: 'Secret1!', confirmPassword: 'Secret1!' });
  expect($auth.get()).toEqual(signedInAs(ann));
});

test('signing in twice writes the sign once, so that other tabs wake once', async () => {
  const { signedIn } = await freshStore();
  signedIn(ann);
  signedIn(ann);
  expect(setItem).toHaveBeenCalledTimes(1);
});

test('signing in works where storage is switched off', async () => {
  vi.stubGlobal('localStorage', undefined);
  const { $auth, signedIn } = await freshStore();
  signedIn(ann);
  expect($auth.get().status).toBe(true);
});

test.each([
  ['clears the user and the sign', undefined, null],
  ['of a session that has ended already clears them, too', Object.assign(new Error('No.'), { code: 401 }), null],
  ['that fails keeps the user', new Error('No.'), ann],
])('signing out %s', async (_, error, user) => {
  backend.logOut.mockImplementation(() => (error ? Promise.reject(error) : Promise.resolve()));
  const { $auth, logOut, signedIn } = await freshStore();
  signedIn(ann);
  const done = logOut();
  await (user ? expect(done).rejects.toThrow('No.') : done);
  expect($auth.get()).toEqual(signedInAs(user));
  expect(storage.has(SIGN)).toBe(user !== null);
});
