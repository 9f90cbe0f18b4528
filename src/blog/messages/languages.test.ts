import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dayText, isoDay } from '../dates.ts';
import { errorLine, loginMessage, postText, shellText } from '../messages.ts';
import { setLanguage } from './language.ts';
import { authorText, searchText } from './pages.ts';

afterEach(() => setLanguage('en'));

it('the language of the site changes texts, messages and dates', () => {
  setLanguage('de');
  expect(shellText.login).toBe('Anmelden');
  expect(postText.minutes({ minutes: 4 })).toBe('4 Min. Lesezeit');
  expect(errorLine('X')).toBe('Fehler: X');
  expect(loginMessage({ code: 401 })).toBe('E-Mail-Adresse oder Passwort stimmt nicht.');
  expect(dayText(new Date('2026-10-25'))).toBe('25. Oktober 2026');
  setLanguage('en');
  expect(shellText.login).toBe('Login');
  expect(dayText(new Date('2026-10-25'))).toBe('October 25, 2026');
  expect(dayText(new Date('2026-10-25'), 'America/New_York')).toBe('October 24, 2026');
  expect(isoDay(new Date('2026-10-25T23:30Z'), 'Asia/Tokyo')).toBe('2026-10-26');
});

it('the language of the site formats numbers and quotation marks', () => {
  expect(authorText.count({ count: 1 })).toBe('One post');
  expect(authorText.count({ count: 1234 })).toBe('1,234 posts');
  setLanguage('de');
  expect(authorText.count({ count: 1234 })).toBe('1.234 Beiträge');
  expect(searchText.nothing({ question: 'Tinte {x} $&' })).toBe('Nichts gefunden für „Tinte {x} $&“');
});

const FOLDER = import.meta.dirname;
const FILES = globSync('*.ts', { cwd: FOLDER }).filter((file) => !/^language|\.test\./.test(file));
const GERMAN = globSync('de/*.json', { cwd: FOLDER }).map((file) => basename(file, '.json'));
/** Texts that are the same in both languages. */
const SAME = /^(?:Name|Passkeys?|Newsletter|Status|Code|Link|Logo|kB| in |\{\w+\}|[^A-Za-z{}]+)+$/;

const flat = (texts: object, path = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]): [string, string][] =>
    typeof text === 'string' ? [[path + key, text]] : flat(text, `${path}${key}.`),
  );
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe('each catalogue has the same texts in German', () => {
  expect(GERMAN.sort()).toEqual(FILES.map((file) => basename(file, '.ts')).sort());

  it.each(GERMAN)('%s', async (name) => {
    const { en } = (await import(/* @vite-ignore */ `./${name}.ts`)) as { en: object };
    const english = new Map(flat(en));
    const german = new Map(flat(JSON.parse(readFileSync(join(FOLDER, 'de', `${name}.json`), 'utf8'))));
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort());
    const wrong = [...english].filter(([key, text]) => {
      const other = german.get(key) ?? '';
      if (/\.one$/.test(key)) return other === '';
      if (text !== '' && (other === '' || (other === text && !SAME.test(text)))) return true;
      return `${placeholders(other)}` !== `${placeholders(text)}`;
    });
    expect(wrong).toEqual([]);
  });
});
