import { afterEach, describe, expect, it } from 'vitest';
import { dayText } from '../dates.ts';
import { catalogueOf, errorLine, LANGUAGES, loginMessage, postText, setLanguage, shellText } from '../messages.ts';
import { PAGE_CATALOGUES, searchText } from '../page-texts.ts';

afterEach(() => setLanguage('en'));

describe('the language of the site', () => {
  it('changes texts, words for errors and dates wherever they are read', () => {
    setLanguage('de');
    expect(shellText.login).toBe('Anmelden');
    expect(postText.minutes(4)).toBe('4 Min. Lesezeit');
    expect(errorLine('X')).toBe('Fehler: X');
    expect(loginMessage({ code: 401 })).toBe('E-Mail-Adresse oder Passwort stimmt nicht.');
    expect(dayText(new Date('2026-10-25'))).toBe('25. Oktober 2026');
    setLanguage('en');
    expect(shellText.login).toBe('Login');
    expect(dayText(new Date('2026-10-25'))).toBe('October 25, 2026');
  });

  it('has the same texts in every language, none of them empty, none left in English', () => {
    const flat = (of: (typeof LANGUAGES)[number]) =>
      Object.entries({ ...catalogueOf(of), ...PAGE_CATALOGUES[of] }).flatMap(([group, words]) =>
        Object.entries(words as Record<string, unknown>).map(([key, text]) => [`${group}.${key}`, text] as const),
      );
    const english = new Map(flat('en'));
    for (const other of LANGUAGES.filter((name) => name !== 'en')) {
      const texts = flat(other);
      expect(texts.map(([key]) => key).toSorted()).toEqual([...english.keys()].toSorted());
      expect(texts.filter(([, text]) => text === '')).toEqual([]);
      // Words that both languages share.
      const same = texts.filter(([key, text]) => typeof text === 'string' && text === english.get(key));
      expect(same.map(([, text]) => text).toSorted()).toEqual(['Code', 'Status']);
    }
  });

  it('puts the separators and quotation marks of the language into counts and questions', () => {
    setLanguage('de');
    expect(searchText.nothing('Tinte')).toBe('Nichts gefunden für „Tinte“');
    expect(PAGE_CATALOGUES.de.authorText.count(1234)).toBe('1.234 Beiträge');
    expect(PAGE_CATALOGUES.en.authorText.count(1234)).toBe('1,234 posts');
  });
});
