import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const classes = new Set<string>();
const storage = new Map<string, string>();
let changed: () => void = () => {};

beforeEach(() => {
  vi.resetModules();
  classes.clear();
  storage.clear();
  const classList = {
    contains: (name: string) => classes.has(name),
    toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)),
  };
  vi.stubGlobal('document', { documentElement: { classList } });
  vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => void storage.set(key, value) });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(follow: () => void) {
        changed = follow;
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

test('holds the mode that the page was painted in', async () => {
  classes.add('dark');
  const { $theme } = await import('./theme.ts');
  expect($theme.get()).toBe('dark');
});

test('switches between light and dark, sets the class of the document and saves the mode', async () => {
  const { $theme, toggleTheme } = await import('./theme.ts');
  expect($theme.get()).toBe('light');
  toggleTheme();
  expect([$theme.get(), classes.has('dark'), storage.get('common-ink:theme')]).toEqual(['dark', true, 'dark']);
  toggleTheme();
  expect([$theme.get(), classes.has('dark'), storage.get('common-ink:theme')]).toEqual(['light', false, 'light']);
});

test('tells its listeners what the readers’ toggle and other tabs do', async () => {
  const { $theme } = await import('./theme.ts');
  const told: string[] = [];
  const stop = $theme.subscribe((theme) => told.push(theme));
  classes.add('dark');
  changed();
  expect(told).toEqual(['light', 'dark']);
  stop();
});

test('switches for this page where storage is off', async () => {
  vi.stubGlobal('localStorage', {
    setItem() {
      throw new DOMException('Storage is off.', 'SecurityError');
    },
  });
  const { $theme, toggleTheme } = await import('./theme.ts');
  toggleTheme();
  expect([$theme.get(), classes.has('dark')]).toEqual(['dark', true]);
});
