import { beforeEach, describe, expect, test, vi } from 'vitest';
import { $theme, preferredTheme, setTheme, startTheme, toggleTheme } from './theme.ts';

let stored: Map<string, string>;
let dark: boolean;
let classes: Set<string>;
let listeners: Map<string, (event?: unknown) => void>;

beforeEach(() => {
  stored = new Map();
  dark = false;
  classes = new Set();
  listeners = new Map();
  const target = {
    addEventListener: (name: string, listener: () => void) => listeners.set(name, listener),
    removeEventListener: (name: string) => listeners.delete(name),
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal('matchMedia', () => ({
    ...target,
    get matches() {
      return dark;
    },
  }));
  vi.stubGlobal('window', target);
  vi.stubGlobal('document', {
    documentElement: {
      classList: { toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)) },
    },
  });
});

describe('the first theme', () => {
  test('is the stored one', () => {
    stored.set('common-ink:theme', 'dark');
    expect(preferredTheme()).toBe('dark');
  });

  test('is the stored one against the system', () => {
    dark = true;
    stored.set('common-ink:theme', 'light');
    expect(preferredTheme()).toBe('light');
  });

  test('is the system’s when nothing, or nonsense, is stored', () => {
    dark = true;
    expect(preferredTheme()).toBe('dark');
    stored.set('common-ink:theme', 'purple');
    expect(preferredTheme()).toBe('dark');
  });
});

test('dark sets the class and is saved, light takes the class away', () => {
  setTheme('dark');
  expect(classes.has('dark')).toBe(true);
  expect(stored.get('common-ink:theme')).toBe('dark');
  toggleTheme();
  expect(classes.has('dark')).toBe(false);
  expect(stored.get('common-ink:theme')).toBe('light');
  expect($theme.get()).toBe('light');
});

test('another tab’s choice is followed, and the system’s as long as nothing was chosen', () => {
  const stop = startTheme();
  dark = true;
  listeners.get('change')?.();
  expect($theme.get()).toBe('dark');
  stored.set('common-ink:theme', 'light');
  listeners.get('storage')?.({ key: 'common-ink:theme' });
  expect($theme.get()).toBe('light');
  stop();
  expect(listeners.size).toBe(0);
});
