/** Documents as answers: the stored JSON closed with where it belongs, in the dialect that asked. */
import type { Answer } from '../../http/route.ts';
import type { Collection } from '../catalogue/model.ts';
import type { Dialect } from '../dialect.ts';
import type { CachedDocument } from './cache.ts';

/** What completes a document's JSON. Ids hold nothing that JSON would escape. */
function closing(collection: Collection, dialect: Dialect): string {
  return `,"$databaseId":"${collection.database.id}","${dialect.collectionField}":"${collection.id}"}`;
}

export function documentJson(document: CachedDocument, collection: Collection, dialect: Dialect): string {
  return document.json + closing(collection, dialect);
}

/** `{"total":…,"documents":[…]}`. */
export function listAnswer(
  status: number,
  total: number,
  documents: readonly CachedDocument[],
  collection: Collection,
  dialect: Dialect,
): Answer {
  const end = closing(collection, dialect);
  let list = '';
  for (const document of documents) list += `${list === '' ? '' : ','}${document.json}${end}`;
  return { status, json: `{"total":${total},"${dialect.documents}":[${list}]}` };
}
