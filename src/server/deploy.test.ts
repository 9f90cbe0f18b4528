import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from './configuration.ts';
import { VARIABLES } from './settings.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const OTHERS = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'TMPDIR', 'npm_config_cache'];

const pairsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));

interface Compose {
  readonly services: { readonly site: { readonly environment: Record<string, string> | string[] } };
}

function settings(file: string): Record<string, string> {
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  if (file === 'fly.toml') return (parseToml(text) as unknown as { env: Record<string, string> }).env;
  if (file.endsWith('.yaml')) {
    const { environment } = (parse(text) as Compose).services.site;
    const given = Array.isArray(environment) ? pairsIn(environment.join(' ')) : environment;
    return { ...given, SITE_URL: 'https://blog.example.com' };
  }
  const lines = text.split('\n').filter((line) => /^(?:ENV |Environment=)/.test(line));
  return pairsIn(lines.map((line) => line.replace(/^(?:ENV |Environment=)/, '')).join(' '));
}

test.each(['common-ink.service', 'Containerfile', 'compose.yaml', 'coolify.yaml', 'fly.toml'])(
  '%s sets known variables only',
  (file) => {
    const given = settings(file);
    expect(Object.keys(given)).not.toEqual([]);
    for (const name of Object.keys(given)) expect([...VARIABLES, ...OTHERS]).toContain(name);
    expect(() => readConfiguration(given)).not.toThrow();
  },
);

test('the Containerfile names no volume, which Railway refuses', () =>
  expect(readFileSync(join(DEPLOY, 'Containerfile'), 'utf8')).not.toMatch(/^VOLUME/m));
