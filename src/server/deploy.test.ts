import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfiguration } from './configuration.ts';
import { VARIABLES } from './settings.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const OTHERS = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'TMPDIR', 'npm_config_cache'];

const pairsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]));

function settings(file: string): Record<string, string> {
  const text = readFileSync(join(DEPLOY, file), 'utf8');
  if (file !== 'compose.yaml') {
    const lines = text.split('\n').filter((line) => /^(?:ENV |Environment=)/.test(line));
    return pairsIn(lines.map((line) => line.replace(/^(?:ENV |Environment=)/, '')).join(' '));
  }
  const given = (parse(text) as { services: { site: { environment: Record<string, string> } } }).services.site
    .environment;
  return { ...given, SITE_URL: 'https://blog.example.com' };
}

test.each(['common-ink.service', 'Containerfile', 'compose.yaml'])('%s sets known variables only', (file) => {
  const given = settings(file);
  for (const name of Object.keys(given)) expect([...VARIABLES, ...OTHERS]).toContain(name);
  expect(() => readConfiguration(given)).not.toThrow();
});
