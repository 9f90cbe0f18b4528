/** German for the browser's bundle, in place of `editor-de.ts`: fetched where the page is in German (see `de.browser.ts`). */
import { en } from './editor-en.ts';

export const de = document.documentElement.lang === 'de' ? (await import('./editor-de.ts')).de : en;
