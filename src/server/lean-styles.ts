/**
 * Takes out of Tailwind's style sheets what makes its classes combine, where nothing is combined: variables that no rule
 * reads, or that no rule sets. The sheets of public pages are printed into every page.
 */
import type { Plugin } from 'vite';

/** A variable of Tailwind's own. */
const OWN = '--tw-[\\w-]+';
const REGISTERED = new RegExp(`@property (${OWN})\\s*\\{([^}]*)\\}\\s*`, 'g');
/** The same initial values for browsers without `@property`; they have no `light-dark()` either, on which all colours rest. */
const FOR_OLDER = /@layer properties\s*\{\s*@supports[^{]*\{[^{]*\{[^}]*\}\s*\}\s*\}/;
const SET = new RegExp(`(?<=[{;]\\s*)(${OWN}):[^;}]*;?`, 'g');
const READ = new RegExp(`var\\(\\s*(${OWN})\\s*(?:,((?:[^()]|\\([^()]*\\))*))?\\)`, 'g');

/** `css` with each variable that no rule sets replaced by its initial value, and without those that no rule reads. */
export function leanCss(css: string): string {
  const initial = new Map<string, string>();
  for (const [, name = '', body = ''] of css.matchAll(REGISTERED)) {
    initial.set(name, /initial-value:\s*([^;]+)/.exec(body)?.[1]?.trim() ?? '');
  }
  const rules = css.replace(REGISTERED, '').replace(FOR_OLDER, '');
  const set = new Set(Array.from(rules.matchAll(SET), ([, name]) => name));
  const settled = rules.replace(READ, (whole, name: string, fallback?: string) => {
    if (set.has(name)) return whole;
    return initial.get(name) || fallback?.trim() || whole;
  });
  const read = new Set(Array.from(settled.matchAll(READ), ([, name]) => name));
  const kept = settled.replace(SET, (whole, name: string) => (read.has(name) ? whole : ''));
  const registered = Array.from(css.matchAll(REGISTERED)).filter(([, name]) => read.has(name));
  return kept + registered.map(([whole]) => whole).join('');
}

/** Comes after Tailwind's own plugin. */
export const leanStyles = (): Plugin => ({
  name: 'common-ink:lean-styles',
  enforce: 'pre',
  apply: 'build',
  transform: (code, id) =>
    /\.css($|\?)/.test(id) && code.includes('--tw-') ? { code: leanCss(code), map: null } : undefined,
});
