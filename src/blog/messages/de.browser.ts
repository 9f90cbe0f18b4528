/**
 * German for the browser's bundle, in place of `de.ts`: fetched where the page is in German, so that nobody else loads
 * it. Elsewhere the name stands for English, which nothing asks for.
 */
import * as en from './en.ts';

export const de = document.documentElement.lang === 'de' ? (await import('./de.ts')).de : en;
