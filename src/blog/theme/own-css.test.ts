import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { transform } from 'lightningcss';
import { expect, it } from 'vitest';
import { ownCss } from './own-css.ts';

/** Returns the URLs in a style sheet, as found by another parser, which reads CSS like browsers do. */
function addressesIn(css: string): string[] {
  const options = { filename: 'own.css', code: Buffer.from(css), analyzeDependencies: true, errorRecovery: true };
  const { dependencies } = transform(options);
  return Array.from(dependencies ?? [], (found) => ('url' in found ? `${found.type} ${found.url}` : found.type));
}

it.each([
  ['a{color:red}', 'a{color:red}'],
  ['a{background:url(/pictures/a.png)}', 'a{background:url(/pictures/a.png)}'],
  ['a{background:url(data:image/png;base64,AAAA)}', 'a{background:url(data:image/png;base64,AAAA)}'],
  ['a{filter:url(#sepia)}', 'a{filter:url(#sepia)}'],
  ['@media (width<600px){.card{--x:1px}}', '@media (width<600px){.card{--x:1px}}'],
  ['@font-face{font-family:Own;src:url("/own.woff2")}', '@font-face{font-family:Own;src:url(/own.woff2)}'],
  ['a[href^="https://"]::after{content:"\\2197"}', 'a[href^="https://"]::after{content:"↗"}'],
  ['a{color:light-dark(#000,#fff);&:hover{color:red}}', 'a{color:light-dark(#000,#fff);&:hover{color:red}}'],
  ['.sm\\:a{color:red}', '.sm\\:a{color:red}'],
  ['/* words */ a{color:red', 'a{color:red}'],
  ['', ''],
])('an owner’s style sheet keeps %j', (given, kept) => expect(ownCss(given)).toBe(kept));

it.each([
  '@import "/other.css";',
  '@import url(https://evil.example/x.css);',
  '@\\69mport "https://evil.example/x.css";',
  '@namespace url(https://evil.example/);',
  'a{background:url(https://evil.example/x.png)}',
  'a{background:url("//evil.example/x.png")}',
  'a{background:URL(HTTPS://evil.example/x.png)}',
  'a{background:u\\72l(https://evil.example/x.png)}',
  'a{background:url("/\\9/evil.example/x.png")}',
  'a{background:url("/\\\\evil.example/x.png")}',
  'a{background:url("\\2f/evil.example/x.png")}',
  'a{background:image-set("https://evil.example/x.png" 1x)}',
  'a{background:-webkit-image-set(var(--x) 1x)}',
  'a{--x:url(https://evil.example/x.png)}',
  'a{width:calc(1px + var(--a,url(https://evil.example/x.png)))}',
  'a{cursor:url(data:text/html,x),auto}',
  'a{background:url(javascript:alert(1))}',
  'a{background:url(https://evil.example/x.png',
  '@font-face{src:url(https://evil.example/x.woff2)}',
  '@supports (background:url(https://evil.example/x.png)){a{b:c}}',
  'a{b:"\n;background:url(https://evil.example/x.png)}',
])('an owner’s style sheet leaves out the fault in %j', (given) =>
  expect(ownCss(given)).not.toMatch(/evil|other|import|namespace|image-set|javascript|text/),
);

it('an owner’s style sheet keeps everything around a fault', () => {
  const given = 'a{color:red}\n@import "x";\nb{color:blue;\nbackground:url(//x.example)}';
  expect(ownCss(given)).toBe('a{color:red}b{color:blue}');
});

it('an owner’s style sheet is sanitised whatever was sanitised before it', () => {
  const module = JSON.stringify(new URL('own-css.ts', import.meta.url));
  const script = `const { ownCss } = await import(${module}); ownCss(',,,,,,,,,,,,,{'); ownCss('var(--x)}a{}"');`;
  // Runs in a separate process, because a parser that hangs would otherwise hang the test as well.
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { timeout: 300_000 });
  expect(status).toBe(0);
});

it('an owner’s style sheet cannot end an element of a page', () => {
  const css = ownCss('a::after{content:"</style><script>alert(1)</script>"}');
  expect(css).toContain('content');
  expect(css).not.toContain('</');
});

it('an owner’s style sheet of more than 32 KB, or of too many blocks in each other, is left out', () => {
  const rule = 'a{color:red}';
  const most = rule.repeat(Math.floor((32 * 1024) / rule.length));
  expect(ownCss(most)).toBe(most);
  expect(ownCss(`${most}${rule}`)).toBe('');
  for (const sign of ['(', '{', '[', 'f(', 'a{']) expect(ownCss(sign.repeat(16_000))).toBe('');
});

it('an owner’s style sheet stays as it is when it is sanitised again, and names only this site, whatever is given', () => {
  expect(addressesIn('@import "//a";b{c:u\\72l(//d)}')).toEqual(['import //a', 'url //d']);
  const parts =
    'a{ } ( ) [ ] url( " \' \\ \\72 ; : , ! @import @media @font-face src: b: --x: //e.example /own /*  */ <!-- </style \n 1x var(--x)';
  const sheets = fc.array(fc.constantFrom(...parts.split(' ')), { maxLength: 25 }).map((given) => given.join(''));
  fc.assert(
    fc.property(sheets, (given) => {
      const css = ownCss(given);
      expect(ownCss(css)).toBe(css);
      expect(addressesIn(css).filter((found) => !/^url (?:\/(?!\/)|#)/.test(found))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});
