/**
 * The difference between two versions of a post: first its fields, then its text, block by block, with the words that
 * changed. With `chooser`, each difference asks which side is to be kept.
 */

import './difference.css';
import { type ReactNode, useMemo } from 'react';
import { versionText } from '#blog/messages/versions.ts';
import type { Row } from './align.ts';
import { type Difference, differenceOf, type FieldName, type Version } from './difference-of.ts';
import { PictureOf } from './PictureOf.tsx';
import { type Part, partsOf } from './parts.ts';
import { tokensOf, wordsOf } from './tokens.ts';
import { Words } from './Words.tsx';

/** What the two versions are called within a sentence: "the version on the server". */
export interface VersionNames {
  readonly before: string;
  readonly after: string;
}

/** Stands under a difference and asks for a choice; `subject` names it: a field, or a row by its number. */
export type Chooser = (subject: FieldName | number, row: Row | undefined) => ReactNode;

interface DifferenceViewProps {
  readonly difference: Difference;
  readonly names: VersionNames;
  readonly chooser?: Chooser;
}

/** Two versions side by side with nothing to choose. */
export function DifferenceOf({ before, after, names }: { before: Version; after: Version; names: VersionNames }) {
  const difference = useMemo(() => differenceOf(before, after), [before, after]);
  return <DifferenceView difference={difference} names={names} />;
}

export function DifferenceView({ difference, names, chooser }: DifferenceViewProps) {
  const { fields, rows, isEmpty } = difference;
  if (isEmpty) return <p className="text-soft">{versionText.nothing}</p>;
  const [struck, underlined] = versionText.legend(names.before, names.after);
  return (
    <div className="difference">
      <p className="difference-legend">
        <del>{struck}</del> <ins>{underlined}</ins>
      </p>
      {fields.map((name) => (
        <section key={name} className="difference-row" data-kind="changed">
          <h3>{versionText[name]}</h3>
          <div className="difference-text">
            <Field name={name} difference={difference} />
          </div>
          {chooser?.(name, undefined)}
        </section>
      ))}
      {grouped(rows).map(({ from, same }) =>
        same.length > 0 ? (
          <Unchanged key={from} rows={same} />
        ) : (
          <BlockRow key={from} row={rows[from] as Row} names={names}>
            {chooser?.(from, rows[from])}
          </BlockRow>
        ),
      )}
    </div>
  );
}

/** Each difference by itself, and what is the same between two of them together. */
function grouped(rows: readonly Row[]): { from: number; same: Row[] }[] {
  const groups: { from: number; same: Row[] }[] = [];
  rows.forEach((row, place) => {
    const last = groups.at(-1);
    if (row.kind !== 'same') groups.push({ from: place, same: [] });
    else if (last && last.same.length > 0) last.same.push(row);
    else groups.push({ from: place, same: [row] });
  });
  return groups;
}

function Unchanged({ rows }: { rows: readonly Row[] }) {
  return (
    <details className="difference-same">
      <summary>{versionText.unchanged(rows.length)}</summary>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
        <div key={place} className="difference-text">
          <Words parts={[{ kind: 'same', tokens: row.after?.tokens ?? [] }]} />
        </div>
      ))}
    </details>
  );
}

function BlockRow({ row, names, children }: { row: Row; names: VersionNames; children: ReactNode }) {
  const { kind } = row;
  const heading =
    kind === 'changed' ? versionText.changed : versionText.onlyIn(kind === 'removed' ? names.before : names.after);
  return (
    <section className="difference-row" data-kind={kind}>
      <h3>{heading}</h3>
      <div className="difference-text">
        <RowWords row={row} />
      </div>
      {children}
    </section>
  );
}

function RowWords({ row }: { row: Row }) {
  const parts = useMemo<Part[]>(() => {
    if (row.kind === 'removed') return [{ kind: 'removed', tokens: row.before.tokens }];
    if (row.kind === 'added') return [{ kind: 'added', tokens: row.after.tokens }];
    return partsOf(row.before.tokens, row.after.tokens);
  }, [row]);
  if (row.kind !== 'changed' || parts.some(({ kind }) => kind !== 'same')) return <Words parts={parts} />;
  return (
    <>
      <p className="difference-note">{versionText.sameWords}</p>
      <code>
        <Words parts={partsOf(sourceTokens(row.before.html), sourceTokens(row.after.html))} />
      </code>
    </>
  );
}

const sourceTokens = (html: string) => tokensOf([document.createTextNode(html)]);

function Field({ name, difference: { before, after } }: { name: FieldName; difference: Difference }) {
  if (name === 'picture') {
    return (
      <div className="difference-pictures">
        <del>
          <PictureOf picture={before.picture ?? ''} label={versionText.removed} />
        </del>
        <ins>
          <PictureOf picture={after.picture ?? ''} label={versionText.added} />
        </ins>
      </div>
    );
  }
  const text = (version: Version) => (name === 'status' ? versionText[version.status] : (version[name] ?? ''));
  return <Words parts={partsOf(wordsOf(text(before)), wordsOf(text(after)))} />;
}
