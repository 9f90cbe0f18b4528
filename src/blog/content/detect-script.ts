/** Detects the language of text from its script alone. This also works for short titles. */

const MOST = 0.5;

/** Scripts that identify a language. Japanese comes first, because Japanese texts also contain Chinese characters. */
const SCRIPTS: readonly (readonly [code: string, letters: RegExp, share: number])[] = [
  ['ja', /[\p{sc=Hira}\p{sc=Kana}]/gu, 0.1],
  ['zh', /\p{sc=Han}/gu, MOST],
  ['ko', /\p{sc=Hang}/gu, MOST],
  ['he', /\p{sc=Hebr}/gu, MOST],
  ['el', /\p{sc=Grek}/gu, MOST],
  ['hi', /\p{sc=Deva}/gu, MOST],
  ['th', /\p{sc=Thai}/gu, MOST],
];
const ARABIC = /\p{sc=Arab}/gu;
const CYRILLIC = /\p{sc=Cyrl}/gu;
const PERSIAN = /[پچژگ]/g;
const URDU = /[ٹڈڑںے]/g;
const UKRAINIAN = /[іїєґ]/gi;
/** Frequent characters that differ between Traditional and Simplified Chinese, which need different fonts. */
const TRADITIONAL = /[這個們來說時國會對過還沒樣麼與為學開關點問題讓從話裡紙書見長車門間頁讀寫東樂買賣]/gu;
const SIMPLIFIED = /[这个们来说时国会对过还没样么与为学开关点问题让从话里纸书见长车门间页读写东乐买卖]/gu;

/** Returns a BCP 47 code; undefined for a script that many languages share, such as Latin. */
export function languageOfScript(text: string): string | undefined {
  if (!/[\u0370-\u{3ffff}]/u.test(text.replace(/[\u2000-\u2bff]/g, ''))) return undefined;
  const letters = count(text, /\p{L}/gu);
  const share = (script: RegExp) => count(text, script) / letters;
  if (share(ARABIC) > MOST) return count(text, URDU) > 3 ? 'ur' : count(text, PERSIAN) > 3 ? 'fa' : 'ar';
  if (share(CYRILLIC) > MOST) return count(text, UKRAINIAN) > 3 ? 'uk' : 'ru';
  const code = SCRIPTS.find(([, script, least]) => share(script) > least)?.[0];
  return code === 'zh' && count(text, TRADITIONAL) > count(text, SIMPLIFIED) ? 'zh-Hant' : code;
}

const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
