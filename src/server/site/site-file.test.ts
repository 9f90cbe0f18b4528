import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import * as colours from '#blog/theme/colours.ts';
import { DEFAULT_THEME } from '#blog/theme/theme.ts';
import { sharedFolder } from '../../../tests/support/folder.ts';
import { readConfiguration } from '../configuration.ts';
import { themeOf } from './appearance.ts';
import { readSiteFile } from './site-file.ts';

const { DEFAULT_PALETTES } = colours;
const folder = sharedFolder();
const read = (toml: string) => {
  writeFileSync(join(folder, 'site.toml'), toml);
  return themed(readSiteFile(folder));
};
const themed = (file: ReturnType<typeof readSiteFile>) => ({ ...file, theme: themeOf(file.settings, file.layout) });
const fault = (toml: string): string => {
  try {
    read(toml);
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
};

beforeAll(() => {
  writeFileSync(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 30"><rect/></svg>');
  writeFileSync(join(folder, 'plain.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'serif.woff2'), 'wOF2 of a serif');
});

it('site.toml must be a file', () => {
  const other = join(folder, 'other');
  mkdirSync(join(other, 'site.toml'), { recursive: true });
  expect(() => readSiteFile(other)).toThrow('site.toml cannot be read (EISDIR). It must be a file');
  rmSync(join(other, 'site.toml'), { recursive: true });
  symlinkSync('nowhere', join(other, 'site.toml'));
  expect(() => readSiteFile(other)).toThrow('site.toml cannot be read (ENOENT)');
});

it('site.toml is optional', () => {
  expect(themed(readSiteFile(join(folder, 'nowhere')))).toMatchObject({ theme: DEFAULT_THEME, warnings: [] });
  expect(read('\n').warnings).toEqual([expect.stringContaining('site.toml is empty')]);
  expect(read('# As it was designed.').warnings).toEqual([]);
  expect(read('').theme).toEqual(DEFAULT_THEME);
});

it('site.toml sets the named colours and those derived from an accent', () => {
  const { theme } = read('[colours.light]\naccent = "#8A1C1C"\n[colours.dark]\naccent = "#f0a090"');
  expect(theme.css).toMatch(/^:root\{--color-accent:light-dark\(#8a1c1c,#f0a090\);--color-accent-strong:/);
  expect(theme.css).not.toContain('--color-paper');
  expect(theme.palettes.light['on-accent']).toBe('#ffffff');
  expect(colours.contrast(theme.palettes.dark['on-accent'], theme.palettes.dark.accent)).toBeGreaterThan(7);
  expect(theme.cssHash).toMatch(/^sha256-[\w+/]{43}=$/);
});

it('site.toml takes the other colours that match a chosen paper, even a dark one in the light theme', () => {
  const { theme, warnings } = read('[colours.light]\npaper = "#0f2a1d"');
  expect(theme.palettes.light).toEqual({ ...DEFAULT_PALETTES.dark, paper: '#0f2a1d' });
  expect(theme.palettes.dark).toEqual(DEFAULT_PALETTES.dark);
  expect(warnings).toEqual([]);
  // Colours without a setting (code, errors, form controls) come from the dark palette. Printed pages stay white.
  expect(theme.css).toMatch(
    /^@media screen\{:root\{color-scheme:dark;--color-paper:#0f2a1d;.*\}\.dark\{color-scheme:dark;--color-paper:#14130f;/,
  );
});

it('site.toml sets a look, and colours on top of it', () => {
  const { theme, warnings } = read('look = "diary"\n[colours.light]\naccent = "#10309a"');
  expect(theme.look.id).toBe('diary');
  const { light, dark } = theme.look.palettes;
  expect(theme.palettes).toEqual({ light: { ...light, accent: '#10309a', 'accent-strong': expect.any(String) }, dark });
  expect(theme.css).toContain(`--color-paper:light-dark(${light.paper},${dark.paper})`);
  expect(theme.css).toContain(`--color-accent:light-dark(#10309a,${dark.accent})`);
  expect(warnings).toEqual([]);
});

it('site.toml names a style sheet of the owner', () => {
  writeFileSync(join(folder, 'own.css'), 'a{color:red}');
  expect(read('css = "own.css"').theme.ownCss).toBe('a{color:red}');
  writeFileSync(join(folder, 'own.css'), ' '.repeat(32 * 1024 + 1));
  expect(fault('css = "own.css"')).toContain('css: own.css is 33 KB, but at most 32 KB is allowed.');
});

it('site.toml warns of a background on which code cannot be read', () => {
  const { warnings } = read('[colours.light]\nwell = "#b9c9b9"\nsoft = "#3d4a3d"\naccent = "#10309a"');
  const warning = /^site\.toml: The light theme's highlighted code on well \(#b9c9b9\) has a contrast of [\d.]+, but/;
  expect(warnings).toEqual([expect.stringMatching(warning)]);
});

it('site.toml sets the layout', () => {
  const { css } = read('[layout]\nmeasure = 60\ncorners = 0').theme;
  expect(css).toBe(':root{--container-measure:60ch;--radius-sm:0px;--radius-md:0px}');
});

it.each(['Georgia, serif', '\'Iowan Old Style\', "Palatino Linotype", serif', 'ui-serif'])(
  'site.toml takes %s',
  (families) => expect(fault(`[fonts]\ntext = ${JSON.stringify(families)}`)).toBe('none'),
);

it.each([
  ['name = "Half', ' is not valid TOML, line 1: '],
  ['nmae = "A"', ': there is no setting nmae. docs/theming.md lists them all.'],
  ['[colours.light]\nacent = "#111111"', ': there is no setting acent in colours.light. docs/theming.md lists them'],
  [
    '[colours.light]\naccent = "red"',
    ': colours.light.accent must be a colour in the form "#rrggbb", such as "#8a1c1c".',
  ],
  ['[fonts]\ntext = "a;}body{display:none"', ': fonts.text must be font families'],
  ["[fonts]\ntext = 'Georgia, \"Two'", ': fonts.text must be font families'],
  ['[fonts]\ntext = "a\\nb"', ': fonts.text must be font families'],
  ['name = "a\\u0000b"', ': name must be text on one line'],
  ['tagline = "a\\nb"', ': tagline must be text on one line'],
  ['logo = "../secret.svg"', ': logo must name a file beside site.toml or in a folder there.'],
  ['logo = "none.svg"', ': logo: there is no file none.svg in '],
  ['logo = "plain.svg"', 'plain.svg does not say how large it is'],
  ['logo = "serif.woff2"', ': logo must be a file ending in .svg or .png.'],
  ['[layout]\nmeasure = 91', ': layout.measure must be 40 to 90 characters.'],
  ['[layout]\ncorners = -1', ': layout.corners must be 0 to 24 pixels.'],
  ['[[navigation]]\ntext = "A"\naddress = "/\\\\evil.example"', ': navigation.1.address must begin with /'],
  ['[[navigation]]\ntext = "A"\naddress = "//evil.example"', ': navigation.1.address must begin with /'],
  ['[[navigation]]\ntext = "A"\naddress = "javascript:alert(1)"', ': navigation.1.address must begin with /'],
  ['[footer]\nterms = "javascript:alert(1)"', ': footer.terms must begin with /'],
  ['[footer]\nmyspace = "/x"', ': there is no setting myspace in footer'],
  ['[colours]\nlight = "#fff"', ': colours.light must be written as [colours.light], with its settings below.'],
  ['layout = 60', ': layout must be written as [layout], with its settings below.'],
  ['look = "disco"', ': look must be one of ink, diary, magazine, notebook, gallery, essay, letters.'],
  ['css = "logo.svg"', ': css must be a file ending in .css.'],
  ['language = "fr"', ': language must be en or de.'],
])('site.toml explains the fault in %j', (toml, words) => {
  expect(fault(toml)).toMatch(/^site\.toml/);
  expect(fault(toml)).toContain(words);
});

it('site.toml reports all faults at once', () => {
  writeFileSync(join(folder, 'site.toml'), 'nmae = "A"\nlanguage = "fr"');
  const all = /^(?=.*language must be en or de)(?=.*no setting nmae).*\n/s;
  expect(() => readConfiguration({ DATA_DIR: folder })).toThrow(all);
});

it('the design has the colours of the tokens', () => {
  const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
  for (const name of colours.COLOUR_NAMES) {
    const [, light, dark] = new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
    if (light === undefined) continue;
    const long = (colour = '') => (colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour);
    const palettes = [DEFAULT_PALETTES.light, DEFAULT_PALETTES.dark];
    expect([long(light), long(dark)], name).toEqual(palettes.map((palette) => palette[name]));
  }
});

it('the design has the code colours of the style sheet', () => {
  const css = readFileSync(new URL('../../styles/prose/code.css', import.meta.url), 'utf8');
  const pairs = Array.from(css.matchAll(/light-dark\((#\w+), (#\w+)\)/g), ([, light, dark]) => [light, dark]);
  expect(pairs).toEqual(colours.CODE_COLOURS.light.map((light, at) => [light, colours.CODE_COLOURS.dark[at]]));
});

it('the design warns of colours with too little contrast', () => {
  // #767676 on white is the palest grey that passes, #777777 the first that fails.
  const on = (soft: string) => read(`[colours.light]\npaper = "#ffffff"\nwell = "#ffffff"\nsoft = "${soft}"`).warnings;
  expect(on('#767676')).toEqual([]);
  const words = 'has a contrast of 4.48, but needs at least 4.5 to be readable for everyone.';
  const faults = ['paper', 'well'].map(
    (on) => `site.toml: The light theme's soft (#777777) on ${on} (#ffffff) ${words}`,
  );
  expect(on('#777777')).toEqual(faults);
  expect(colours.completed({}, 'dark')).toEqual(DEFAULT_PALETTES.dark);
});
