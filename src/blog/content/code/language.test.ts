import { expect, it } from 'vitest';
import { NOTES } from '../../../../tests/support/language-notes.ts';
import { textLanguageOf } from './language.ts';

it.each([
  ['en', 'Ink spreads along the fibres until it meets the size that the maker brushed on while nobody was looking.'],
  ['de', 'Die Tinte läuft an den Fasern entlang, bis sie auf den Leim trifft, und das ist nicht immer ein Fehler.'],
  ['fr', 'L’encre suit les fibres du papier, et la page garde dans sa marge ce que la main n’a pas dit pour nous.'],
  ['es', 'La tinta corre por las fibras del papel y no se detiene hasta que encuentra la cola que puso el artesano.'],
  ['it', 'L’inchiostro corre lungo le fibre della carta e non si ferma che alla colla, come anche il tempo nel libro.'],
  ['pt', 'A tinta corre pelas fibras do papel e não para até que encontra a cola que o artesão pôs com uma escova.'],
  ['nl', 'De inkt loopt langs de vezels van het papier en stopt niet voor de lijm die er met een kwast op is gedaan.'],
  ['pl', 'Atrament płynie po włóknach i nie zatrzymuje się na papierze, który jest do tego zrobiony przez mistrza.'],
  ['sv', 'Bläcket följer fibrerna och det är inte alltid ett fel att den som skriver på ett papper har bråttom.'],
  ['ru', 'Чернила бегут по волокнам бумаги, пока не встретят клей.'],
  ['uk', 'Чорнило біжить волокнами паперу, її колір і її тінь лишаються тут.'],
  ['ja', '紙の繊維に沿ってインクが広がり、職人が塗った膠に出会うまで止まりません。'],
  ['zh', '墨水沿着纸的纤维扩散，直到遇到工匠刷上的胶。'],
  ['zh', '“纸”、“墨”、“笔”。他说：「这是书。」'],
  ['zh-Hant', '墨水沿著紙的纖維擴散，直到遇到工匠刷上的膠，這個過程沒有聲音。'],
  ['ko', '잉크는 종이의 섬유를 따라 퍼진다.'],
  ['el', 'Το μελάνι απλώνεται στις ίνες του χαρτιού.'],
])('%s', (code, text) => expect(textLanguageOf(text)).toEqual({ code, isRightToLeft: false }));

it.each([
  ['ar', 'ينتشر الحبر على طول الألياف حتى يلتقي بالغراء'],
  ['fa', 'جوهر در امتداد الیاف کاغذ پخش می‌شود و چون پیچک بر گرد دیوار می‌گردد و می‌پژمرد'],
  ['he', 'הדיו מתפשטת לאורך הסיבים עד שהיא פוגשת בדבק'],
])('%s runs from right to left', (code, text) => expect(textLanguageOf(text)).toEqual({ code, isRightToLeft: true }));

it('does not guess', () => {
  for (const text of ['', 'Lorem ipsum', 'npm install common-ink', 'Et in Arcadia ego: a painting.', '12 → 13 → 14'])
    expect(textLanguageOf(text), text).toBeUndefined();
});

it('is not led astray by words of another language within a text', () => {
  const english = 'The Greek word for ink is μελάνι, and the Japanese one is インク, as you have read in this post. ';
  expect(textLanguageOf(english.repeat(3))?.code).toBe('en');
});

it('takes none of 60 short notes in 20 languages for another language', () => {
  const told = NOTES.map(([code, note]) => ({ note, code, found: textLanguageOf(note)?.code }));
  expect(told).toHaveLength(60);
  expect(told.filter(({ code, found }) => found !== undefined && found !== code)).toEqual([]);
  expect(told.filter(({ code, found }) => found === code).length).toBeGreaterThanOrEqual(20);
});
