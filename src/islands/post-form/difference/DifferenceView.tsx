import './difference.css';
import { type ReactNode, useMemo, useState } from 'react';
import { previewUrl } from '#blog/images.ts';
import { detailText } from '#blog/messages/post-details.ts';
import { versionText } from '#blog/messages/versions.ts';
import { currentSite } from '#stores/site.ts';
import { useObjectUrl } from '../editor/pictures/local-files.ts';
import { dateTimeText } from '../format-time.ts';
import { type Row, type WordChange, wordChanges } from './align.ts';
import { type Difference, differenceOf, type FieldName, type Version } from './compute-difference.ts';
import { MarkedWords } from './MarkedWords.tsx';
import { tokensOf, wordsOf } from './tokens.ts';

/** The versions' names for use in a sentence, such as "the version on the server". */
interface VersionNames {
  readonly before: string;
  readonly after: string;
}

interface DifferenceViewProps {
  readonly difference: Difference;
  readonly names: VersionNames;
  /** Renders buttons for choosing a version, shown below each difference. `subject` is a field name or a row number. */
  readonly chooser?: (subject: FieldName | number, row: Row | undefined) => ReactNode;
}

export function DifferenceOf({ before, after, names }: { before: Version; after: Version; names: VersionNames }) {
  const difference = useMemo(() => differenceOf(before, after), [before, after]);
  return <DifferenceView difference={difference} names={names} />;
}

export function DifferenceView({ difference, names, chooser }: DifferenceViewProps) {
  const { fields, rows, isEmpty } = difference;
  if (isEmpty) return <p className="text-soft">{versionText.nothing}</p>;
  return (
    <div className="difference">
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
        <del>{versionText.onlyBefore({ version: names.before })}</del>{' '}
        <ins>{versionText.onlyAfter({ version: names.after })}</ins>
      </p>
      {fields.map((name) => (
        <section key={name} className="difference-row" data-kind="changed">
          <h3>{LABELS[name]}</h3>
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
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm text-soft">
        {versionText.unchanged({ count: rows.length })}
      </summary>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change.
        <div key={place} className="difference-text px-3.5 pb-3">
          <MarkedWords changes={[{ kind: 'same', tokens: row.after?.tokens ?? [] }]} />
        </div>
      ))}
    </details>
  );
}

function BlockRow({ row, names, children }: { row: Row; names: VersionNames; children: ReactNode }) {
  const { kind } = row;
  const heading =
    kind === 'changed'
      ? versionText.changed
      : versionText.onlyIn({ version: kind === 'removed' ? names.before : names.after });
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
  const changes = useMemo<WordChange[]>(() => {
    if (row.kind === 'removed') return [{ kind: 'removed', tokens: row.before.tokens }];
    if (row.kind === 'added') return [{ kind: 'added', tokens: row.after.tokens }];
    return wordChanges(row.before.tokens, row.after.tokens);
  }, [row]);
  if (row.kind !== 'changed' || changes.some(({ kind }) => kind !== 'same')) return <MarkedWords changes={changes} />;
  return (
    <>
      <p className="difference-note">{versionText.sameWords}</p>
      <code>
        <MarkedWords changes={wordChanges(sourceTokens(row.before.html), sourceTokens(row.after.html))} />
      </code>
    </>
  );
}

const sourceTokens = (html: string) => tokensOf([document.createTextNode(html)]);

const LABELS = {
  ...versionText,
  featuredImage: versionText.picture,
  kind: detailText.kind,
  newsletter: detailText.newsletter,
};

function textOf(name: Exclude<FieldName, 'featuredImage'>, version: Version): string {
  if (name === 'status') return versionText[version.status];
  if (name === 'kind') return detailText.kinds[version.kind || 'post'];
  if (name === 'newsletter') return detailText.newsletterChoices[version.newsletter || 'none'];
  const value = version[name] ?? '';
  if (typeof value !== 'string') return value.join(', ');
  const isTime = name === 'publishAt' || name === 'unpublishAt';
  return isTime && value ? dateTimeText(value) : value;
}

const PICTURE = 'grid min-h-16 min-w-24 flex-[0_1_12rem] place-items-center rounded-sm p-1 font-sans text-sm';

function Field({ name, difference: { before, after } }: { name: FieldName; difference: Difference }) {
  if (name === 'featuredImage') {
    return (
      <div className="flex flex-wrap gap-3">
        <del className={PICTURE}>
          <FeaturedPicture picture={before.featuredImage ?? ''} label={versionText.removed} />
        </del>
        <ins className={PICTURE}>
          <FeaturedPicture picture={after.featuredImage ?? ''} label={versionText.added} />
        </ins>
      </div>
    );
  }
  const text = (version: Version) => textOf(name, version);
  return <MarkedWords changes={wordChanges(wordsOf(text(before)), wordsOf(text(after)))} />;
}

/** `picture` is the id of a stored file (empty for none), or a file on this device. */
function FeaturedPicture({ picture, label }: { picture: string | File; label: string }) {
  const [gone, setGone] = useState<string | File>();
  const isGone = gone === picture && picture !== '';
  const local = useObjectUrl(picture instanceof File ? picture : undefined);
  const stored = typeof picture === 'string' && picture;
  const url = stored ? previewUrl(currentSite(), stored, { width: 480, height: 320 }) : local;
  return (
    <>
      <span className="sr-only">{label} </span>
      {picture === '' || isGone ? (
        <span>{isGone ? versionText.pictureGone : versionText.noPicture}</span>
      ) : (
        url && (
          <img
            className="w-full in-[del]:opacity-60"
            src={url}
            alt={(picture instanceof File && picture.name) || versionText.picture}
            onError={() => setGone(picture)}
          />
        )
      )}
    </>
  );
}
