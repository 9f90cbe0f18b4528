import { afterEach, expect, test, vi } from 'vitest';
import { $theme } from './theme.ts';

afterEach(() => vi.unstubAllGlobals());

test('tells its listeners which mode the page was painted in and which one it switches to', () => {
  const classes = new Set(['dark']);
  let changed = () => {};
  vi.stubGlobal('document', { documentElement: { classList: { contains: (name: string) => classes.has(name) } } });
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
  const told: string[] = [];
  const stop = $theme.subscribe((theme) => told.push(theme));
  classes.clear();
  changed();
  expect(told).toEqual(['dark', 'light']);
  stop();
});
