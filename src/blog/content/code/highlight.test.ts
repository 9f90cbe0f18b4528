import { expect, onTestFinished, test, vi } from 'vitest';
import { highlight, loadLanguages } from './highlight.ts';

const away = vi.hoisted(() => ({ python: false }));

vi.mock('shiki/langs', async (importOriginal) => {
  const { bundledLanguages, ...rest } = await importOriginal<typeof import('shiki/langs')>();
  const python = () => (away.python ? Promise.reject(new Error('Cannot find package')) : bundledLanguages.python());
  return { ...rest, bundledLanguages: { ...bundledLanguages, python } };
});

const coloured = async (code: string, language: string) => {
  await loadLanguages(['json', 'python']);
  return JSON.stringify(await highlight(code, language, { left: 1000, forNewLanguages: 1000 }));
};

test('code whose grammar cannot be read just now is shown plain, beside coloured code, and coloured when it can', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  away.python = true;
  expect(await coloured('def ink(): pass', 'python')).toBe('[{"type":"text","value":"def ink(): pass"}]');
  expect(warned).toHaveBeenCalledWith('Code in python is shown plain: Cannot find package');
  expect(await coloured('{"a":1}', 'json')).toContain('tok-');
  away.python = false;
  expect(await coloured('def ink(): pass', 'python')).toContain('tok-keyword');
});
