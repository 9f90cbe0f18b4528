import type { Collection } from '../catalogue/model.ts';
import type { Dialect } from '../dialect.ts';
import type { RenderedDocument } from './sqlite/plan.ts';

export function collectionIdsOf(collection: Collection, dialect: Dialect): Readonly<Record<string, string>> {
  return { $databaseId: collection.database.id, [dialect.collectionField]: collection.id };
}

function closing(collection: Collection, dialect: Dialect): string {
  return `,${JSON.stringify(collectionIdsOf(collection, dialect)).slice(1)}`;
}

export function documentJson(document: RenderedDocument, collection: Collection, dialect: Dialect): string {
  return document.json + closing(collection, dialect);
}

/** Yields `{"total":…,"documents":[…]}` in parts. */
export function* listParts(
  total: number,
  documents: Iterable<RenderedDocument>,
  collection: Collection,
  dialect: Dialect,
): Generator<string, void, undefined> {
  const end = closing(collection, dialect);
  yield `{"total":${total},"${dialect.documents}":[`;
  let isFirst = true;
  for (const { json } of documents) {
    yield `${isFirst ? '' : ','}${json}${end}`;
    isFirst = false;
  }
  yield ']}';
}
