/** Documents as answers: the stored JSON closed with where it belongs, in the dialect that asked. */
import type { Collection } from '../catalogue/model.ts';
import type { Dialect } from '../dialect.ts';
import type { CachedDocument } from './cache.ts';
import type { RenderedDocument } from './sqlite/plan.ts';

/** Where a document belongs, as its answer says it last. */
export function collectionIdsOf(collection: Collection, dialect: Dialect): Readonly<Record<string, string>> {
  return { $databaseId: collection.database.id, [dialect.collectionField]: collection.id };
}

/** What completes a document's JSON. */
function closing(collection: Collection, dialect: Dialect): string {
  return `,${JSON.stringify(collectionIdsOf(collection, dialect)).slice(1)}`;
}

export function documentJson(document: RenderedDocument, collection: Collection, dialect: Dialect): string {
  return document.json + closing(collection, dialect);
}

/** `{"total":…,"documents":[…]}`. */
export function listJson(
  total: number,
  documents: readonly RenderedDocument[],
  collection: Collection,
  dialect: Dialect,
): string {
  const end = closing(collection, dialect);
  let list = '';
  for (const document of documents) list += `${list === '' ? '' : ','}${document.json}${end}`;
  return `{"total":${total},"${dialect.documents}":[${list}]}`;
}

/** As `documentJson`, in parts: nothing is copied. */
export function documentBytes(document: CachedDocument, collection: Collection, dialect: Dialect): Buffer[] {
  return [document.json, Buffer.from(closing(collection, dialect))];
}

/** As `listJson`, in parts to be sent one after the other: nothing is copied. */
export function* listBytes(
  total: number,
  documents: Iterable<CachedDocument>,
  collection: Collection,
  dialect: Dialect,
): Generator<Buffer, void, undefined> {
  const end = closing(collection, dialect);
  const between = Buffer.from(`${end},`);
  yield Buffer.from(`{"total":${total},"${dialect.documents}":[`);
  let isFirst = true;
  for (const { json } of documents) {
    if (!isFirst) yield between;
    isFirst = false;
    yield json;
  }
  yield Buffer.from(isFirst ? ']}' : `${end}]}`);
}
