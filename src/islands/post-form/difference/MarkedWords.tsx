import { Fragment, type ReactNode } from 'react';
import { versionText } from '#blog/messages/versions.ts';
import type { WordChange } from './align.ts';
import type { Token } from './tokens.ts';

interface Line {
  readonly begin: { readonly kind: WordChange['kind']; readonly token: Token } | undefined;
  readonly runs: { readonly kind: WordChange['kind']; readonly tokens: Token[] }[];
}

export function MarkedWords({ changes }: { changes: readonly WordChange[] }) {
  return linesOf(changes).map(({ begin, runs }, place) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity other than their index.
      key={place}
      className="min-h-[1.55em] whitespace-pre-wrap"
      style={begin?.token.depth ? { paddingInlineStart: `${Math.min(begin.token.depth, 4) - 0.25}rem` } : undefined}
      dir="auto"
    >
      {begin && (begin.token.text || begin.kind !== 'same') && (
        <Change kind={begin.kind}>{begin.token.text || '¶'} </Change>
      )}
      {runs.map(({ kind, tokens }, run) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: runs of words have no identity other than their index.
        <Change key={run} kind={kind}>
          {shown(tokens, kind !== 'same')}
        </Change>
      ))}
    </div>
  ));
}

function Change({ kind, children }: { kind: WordChange['kind']; children: ReactNode }) {
  if (kind === 'same') return children;
  const Tag = kind === 'removed' ? 'del' : 'ins';
  return (
    <Tag>
      <span className="sr-only">{versionText[kind]} </span>
      {children}
    </Tag>
  );
}

function linesOf(changes: readonly WordChange[]): Line[] {
  const lines: Line[] = [{ begin: undefined, runs: [] }];
  for (const { kind, tokens } of changes) {
    for (const token of tokens) {
      if (token.kind === 'break') lines.push({ begin: { kind, token }, runs: [] });
      else {
        const runs = (lines.at(-1) as Line).runs;
        const last = runs.at(-1);
        if (last?.kind === kind) last.tokens.push(token);
        else runs.push({ kind, tokens: [token] });
      }
    }
  }
  return lines.filter(({ begin, runs }) => runs.length > 0 || begin?.token.text || (begin && begin.kind !== 'same'));
}

/** Renders tokens, grouping words with equal marks. `withNotes` shows notes, such as link URLs, for changed text. */
function shown(tokens: readonly Token[], withNotes: boolean): ReactNode[] {
  const groups: Token[][] = [];
  for (const token of tokens) {
    const last = groups.at(-1)?.at(-1);
    if (token.kind === 'note' && !withNotes) continue;
    const joins =
      last && last.marks === token.marks && [token, last].every(({ kind }) => kind === 'word' || kind === 'space');
    if (joins) groups.at(-1)?.push(token);
    else groups.push([token]);
  }
  return groups.map((group, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: groups of words have no identity other than their index.
    <Fragment key={place}>{piece(group)}</Fragment>
  ));
}

function piece(group: readonly Token[]): ReactNode {
  const [first] = group;
  if (!first) return null;
  if (first.kind === 'picture') {
    return (
      <span className="inline-flex items-center gap-2 align-middle font-sans text-sm">
        <img className="max-h-16 max-w-24 rounded-sm" src={first.src} alt="" loading="lazy" />
        {first.text ? versionText.pictureNamed({ description: first.text }) : versionText.pictureUnnamed}
      </span>
    );
  }
  if (first.kind === 'note') return <span className="difference-note"> {first.text} </span>;
  return first.marks
    .split(' ')
    .reduce<ReactNode>((inner, mark) => marked(mark, inner), group.map(({ text }) => text).join(''));
}

/** Renders `del` and `u` as spans, because the elements would look like changes between the versions. */
function marked(mark: string, inner: ReactNode): ReactNode {
  if (mark === '') return inner;
  if (mark === 'a') return <span className="text-accent">{inner}</span>;
  if (mark === 'u') return <span className="border-b border-dotted">{inner}</span>;
  if (mark === 'del') return <span className="line-through decoration-double opacity-75">{inner}</span>;
  const Tag = mark as 'strong' | 'em' | 'sub' | 'sup' | 'mark' | 'code';
  return <Tag>{inner}</Tag>;
}
