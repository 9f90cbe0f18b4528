import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../../tests/support/folder.ts';
import { readConfiguration } from '../configuration.ts';
import { appearanceOf } from './appearance.ts';

const folder = sharedFolder();

/** Returns the appearance that results from these stored settings, `site.toml` and environment variables. */
function appearance(
  stored: Parameters<typeof appearanceOf>[1],
  toml = '# nothing',
  environment: NodeJS.ProcessEnv = {},
) {
  writeFileSync(join(folder, 'site.toml'), toml);
  const configuration = readConfiguration({ DATA_DIR: folder, ...environment });
  return { ...appearanceOf(configuration, stored), fixed: configuration.operator.places };
}

it('puts the environment before site.toml, both before stored settings, and these before the defaults', () => {
  const stored = { name: 'Stored', tagline: 'Stored', introduction: 'Stored', perPage: 12 };
  const found = appearance(stored, 'name = "File"\ntagline = "File"\nlanguage = "de"', { SITE_NAME: 'Environment' });
  expect(found.site).toMatchObject({ name: 'Environment', tagline: 'File', language: 'de', perPage: 12 });
  expect(found.theme.introduction).toBe('Stored');
  expect(found.fixed).toEqual({ name: 'SITE_NAME', tagline: 'site.toml', language: 'site.toml' });
  expect(found.effective).toMatchObject({ ...stored, name: 'Environment', tagline: 'File', timeZone: 'UTC' });
});

it('leaves every page as it is without settings', () => {
  const { site, theme } = appearance({});
  expect(site).toEqual(readConfiguration({ DATA_DIR: folder }).site);
  expect(Object.keys(site)).not.toEqual(expect.arrayContaining(['perPage']));
  expect([theme.css, theme.ownCss]).toEqual(['', '']);
  expect(appearance({ perPage: 24, timeZone: 'UTC' }).site).toEqual(site);
});

it('takes whole settings from site.toml, not parts of them', () => {
  const stored = { colours: { dark: { accent: '#aaaaaa' } }, footer: { help: '/help' }, navigation: [] };
  const { theme } = appearance(stored, '[colours.light]\naccent = "#8a1c1c"\n[footer]\nterms = "/terms"');
  expect(theme.palettes.light.accent).toBe('#8a1c1c');
  expect(theme.palettes.dark.accent).not.toBe('#aaaaaa');
  expect(theme.footer).toEqual({ terms: '/terms' });
});

it('describes the site in the chosen language, and sends mail in its name', () => {
  const { site, effective } = appearance({ language: 'de', name: 'Tinte' });
  for (const { tagline } of [site, appearance({}, 'language = "de"').site]) expect(tagline).toMatch(/^Teile deine/);
  expect(effective.mailName).toBe('Tinte');
  const mail = { SMTP_HOST: 'mail.example.com', MAIL_FROM: 'The Blog <blog@example.com>' };
  const named = appearance({ mailName: 'Stored' }, '# nothing', mail);
  expect([named.effective.mailName, named.fixed.mailName]).toEqual(['The Blog', 'MAIL_FROM']);
});
