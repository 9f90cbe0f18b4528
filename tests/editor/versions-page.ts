import { wordChanges } from '../../src/islands/post-form/difference/align.ts';
import { differenceOf, type Version } from '../../src/islands/post-form/difference/compute-difference.ts';
import { clearChoices, merged, type Side, type Subject } from '../../src/islands/post-form/difference/merge.ts';
import { judge } from '../../src/islands/post-form/editor/source/lost-markup.ts';

export interface Compared {
  /** Kind and words of each row, with changed words marked as `[-old-]` and `{+new+}`. */
  readonly rows: string[];
  readonly fields: string[];
  readonly clear: [Subject, Side][];
  readonly merged: Version;
}

const version = (content: string): Version => ({ title: 'T', status: 'active', content });
const MARKS = { same: ['', ''], removed: ['[-', '-]'], added: ['{+', '+}'] } as const;

Object.assign(window, {
  compare(before: string, after: string, base: string, chosen: [Subject, Side][]): Compared {
    const difference = differenceOf(version(before), version(after));
    const clear = clearChoices(difference, version(base));
    const rows = difference.rows.map((row) => {
      const words = wordChanges(row.before?.tokens ?? [], row.after?.tokens ?? []).map(({ kind, tokens }) => {
        const told = tokens.map((token) => (token.kind === 'break' ? `\n${token.text}` : token.text)).join('');
        return `${MARKS[kind][0]}${told}${MARKS[kind][1]}`;
      });
      return `${row.kind}: ${words.join('')}`;
    });
    const choices = new Map([...clear, ...chosen]);
    return { rows, fields: [...difference.fields], clear: [...clear], merged: merged(difference, choices) };
  },
  losses: (source: string) =>
    judge(source).losses.map(({ kind, name, element, count }) =>
      [`${kind}:`, name, element, count].filter(Boolean).join(' '),
    ),
});

declare global {
  interface Window {
    compare(before: string, after: string, base: string, chosen?: [Subject, Side][]): Compared;
    losses(source: string): string[];
  }
}
