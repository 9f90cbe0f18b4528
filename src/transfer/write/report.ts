import type { ImportOutcome } from '#blog/import.ts';
import { groupNotes } from '#blog/import-notes.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Result } from './write.ts';

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export function createProgress(screen: Screen): { show(result: Result, done: number, all: number): void; end(): void } {
  return {
    show({ path }, done, all) {
      if (!screen.isTTY) {
        if (done % 50 === 0 || done === all) screen.write(`${done} of ${all} files\n`);
        return;
      }
      const width = 30;
      const full = Math.round((done / all) * width);
      const bar = `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${done}/${all} ${shown(path)}`;
      screen.write(`\r\x1b[K${bar.slice(0, (screen.columns ?? 80) - 1)}`);
    },
    end() {
      if (screen.isTTY) screen.write('\r\x1b[K');
    },
  };
}

/** Replaces control characters, because file names and words may contain terminal escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
const shown = (line: string): string => line.replace(/[\x00-\x1f\x7f-\x9f]/g, '\ufffd');

const ORDER: readonly ImportOutcome[] = ['failed', 'skipped', 'taken', 'updated', 'unchanged'];

const wordFor = (outcome: ImportOutcome): string => (outcome === 'taken' ? 'imported' : outcome);

export const exitCode = (results: readonly Result[], acceptLosses = false): 0 | 1 =>
  results.some(({ outcome, isCut, losses }) => outcome === 'failed' || (!acceptLosses && (isCut || losses?.length)))
    ? 1
    : 0;

export function reportText(results: readonly Result[]): string {
  const { shared, entries } = groupNotes(results);
  const lines = entries
    .sort((a, b) => ORDER.indexOf(b.outcome) - ORDER.indexOf(a.outcome))
    .flatMap(({ path, outcome, slug, address, reason, notes, losses = [] }) => [
      `${wordFor(outcome).padEnd(9)} ${path}${slug ? ` -> ${address ?? postPath(slug)}` : ''}${reason ? `: ${reason}` : ''}`,
      ...losses.map((loss) => `${''.padEnd(9)} ! lost: ${loss}`),
      ...notes.map((note) => `${''.padEnd(9)}   ${note}`),
    ]);
  for (const { text, isLoss, entries: posts } of shared) {
    const places = posts.map(({ path, slug, address }) => address ?? (slug ? postPath(slug) : path)).join(', ');
    lines.push(`${isLoss ? '! lost in' : 'in'} ${posts.length} posts: ${text}: ${places}`);
  }
  const sums = ORDER.map(
    (outcome) => [outcome, results.filter((result) => result.outcome === outcome).length] as const,
  );
  const sentence = sums.filter(([, number]) => number > 0).map(([outcome, number]) => `${number} ${wordFor(outcome)}`);
  return `${lines.map(shown).join('\n')}\n${results.length} files: ${sentence.join(', ') || 'none'}\n`;
}
