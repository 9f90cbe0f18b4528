import { expect, it } from 'vitest';
import { isSafePicture } from './pictures.ts';
import { SETTING_NAMES, settingsIn, settingsSchema } from './settings.ts';

const svg = (inside: string, root = '') =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg"${root}>${inside}</svg>`)}`;
const png = `data:image/png;base64,${btoa('\x89PNG\r\n\x1a\n')}`;
const picture = (src: string) => ({ src, width: 10, height: 10 });
const link = { text: 'About', address: '/about' };

const GOOD = {
  ...{ name: 'Ink', tagline: 'On paper.', introduction: 'Hello.', language: 'de', look: 'ink' },
  ...{ logo: { light: picture(svg('<path d="M0 0"/>')), dark: picture(png) }, icon: picture(png) },
  ...{ colours: { light: { accent: '#aa0000' } }, navigation: [link], footer: { privacy: 'mailto:a@b.example' } },
  ...{ perPage: 12, timeZone: 'Europe/Berlin', mailName: 'Ink', css: 'p{color:red}', askForPasskeys: true as const },
  newsletter: { rhythm: 'weekly', contact: 'Ink, 1 Paper Street', perMinute: 10, perDay: 500, delay: 5 },
};

it('takes every setting', () => {
  expect(settingsIn(JSON.stringify(GOOD))).toEqual({ settings: GOOD, faults: [] });
  expect(Object.keys(GOOD).sort()).toEqual([...SETTING_NAMES].sort());
});

it('makes an email address a link to write to it', () => {
  const parsed = settingsSchema.parse({ footer: { contact: ' ink@example.com ', help: '/help@ink' } });
  expect(parsed.footer).toEqual({ contact: 'mailto:ink@example.com', help: '/help@ink' });
});

it.each(['instagram.com/slowlight', 'www.münchen.de', 'example.com:8080', 'example.com?a=b'])(
  'makes %s a link to another site',
  (address) => expect(settingsSchema.parse({ footer: { x: address } }).footer?.x).toBe(`https://${address}`),
);

it.each([
  ['name', 7],
  ['name', 'two\nlines'],
  ['tagline', ['a']],
  ['language', 'fr'],
  ['look', 'of-tomorrow'],
  ['logo', { light: picture('data:text/html;base64,PGI+') }],
  ['logo', { light: picture(svg('<script>alert(1)</script>')) }],
  ['logo', { light: { ...picture(png), width: 1e9 } }],
  ['icon', picture(`data:image/png;base64,${'A'.repeat(30_000)}`)],
  ['colours', { light: { accent: 'red' } }],
  ['colours', { light: { accent: '#aa0000;}body{display:none' } }],
  ['navigation', Array.from({ length: 10_000 }, () => link)],
  ['navigation', [{ ...link, address: 'javascript:alert(1)' }]],
  ['navigation', [{ ...link, address: '//evil.example' }]],
  ['navigation', [{ ...link, address: 'about' }]],
  ['navigation', [{ ...link, address: 'java.script:alert(1)' }]],
  ['navigation', { length: 1 }],
  ['footer', { privacy: 'JavaScript:alert(1)' }],
  ['footer', { myspace: '/a' }],
  ['perPage', '24'],
  ['perPage', 1e6],
  ['timeZone', 'Mars/Olympus'],
  ['css', 'a'.repeat(1_000_000)],
  ['newsletter', { ...GOOD.newsletter, rhythm: 'hourly' }],
  ['newsletter', { ...GOOD.newsletter, contact: ' ' }],
  ['newsletter', { ...GOOD.newsletter, contact: 'Ink\r\nBcc: a@b.example' }],
  ['newsletter', { ...GOOD.newsletter, perMinute: 0 }],
  ['newsletter', { ...GOOD.newsletter, perHour: 1.5 }],
  ['newsletter', { ...GOOD.newsletter, delay: 1441 }],
  ['__proto__', { name: 'a' }],
  ['toString', 'a'],
])('leaves out a %s that does not fit, and names it', (name, value) => {
  const text = JSON.stringify(GOOD).replace(/}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`);
  const { [name as 'name']: left, ...others } = GOOD;
  expect(settingsIn(text)).toEqual({ settings: others, faults: [name] });
  if (name !== '__proto__') expect(settingsSchema.safeParse({ [name]: value }).success).toBe(false);
});

it.each(['', '[]', 'null', '7', '{"name":', '['.repeat(200_000)])('finds no settings in %.12s', (text) =>
  expect(settingsIn(text)).toEqual({ settings: {}, faults: text === '' ? [] : ['settings'] }),
);

it.each([
  '<a href="https://evil.example">a</a>',
  '<image xlink:href = "//evil.example/a.png"/>',
  "<use href='data:image/svg+xml;base64,AAAA'/>",
  '<rect onload="alert(1)"/>',
  '<foreignObject><p>a</p></foreignObject>',
  '<style>@import "a.css"</style>',
  '<rect style="fill:url(https://evil.example/a)"/>',
  '<a href="&#106;avascript:alert(1)">a</a>',
])('takes no SVG with %s', (inside) => expect(isSafePicture(svg(inside))).toBe(false));

it('takes SVGs that refer to their own parts', () => {
  const inside =
    '<defs><linearGradient id="a"/></defs><use href="#a"/><rect fill="url(#a)" style="fill: url( \'#a\' )"/>';
  expect(isSafePicture(svg(`${inside}<image href = "${png}"/>`, ' viewBox="0 0 1 1"'))).toBe(true);
  expect(isSafePicture(svg('').replace('svg+xml', 'png'))).toBe(false);
  expect(isSafePicture('data:image/svg+xml;base64,/////w==')).toBe(false);
});
