import type { Caller } from '../caller.ts';
import { SCHEMA_BODY } from '../http/body.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, optional, required, uid } from '../http/params.ts';
import { NO_CONTENT, ok, type Params, type Route } from '../http/route.ts';
import { addAttribute, removeAttribute, updateAttribute } from './attributes/change.ts';
import { type AttributeInput, attributeKind, defineAttribute } from './attributes/definition.ts';
import { attributeJson } from './attributes/json.ts';
import { ATTRIBUTE_KINDS, type AttributeKind, KINDS, UNSUPPORTED_KINDS } from './attributes/kinds.ts';
import { anything, attributeParams, bound, elements, size } from './attributes/params.ts';
import { type Attribute, attributeOf, type Collection } from './catalogue/model.ts';
import { inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { listAnswer, QUERY_PARAMS } from './query/listing.ts';
import type { QuerySchema } from './query/schema.ts';
import type { CollectionPath, DatabasesService } from './service.ts';

const ATTRIBUTES = '/databases/:databaseId/collections/:collectionId/attributes';
const ONE = { ...COLLECTION_PARAMS, key: required(uid()) };
const WRITING = { scope: 'collections.write', largestBody: SCHEMA_BODY };

const TYPE_SQL = `CASE kind ${ATTRIBUTE_KINDS.map((kind) => `WHEN '${kind}' THEN '${KINDS[kind].type}'`).join(' ')} END`;

const SCHEMA: QuerySchema = {
  sequence: 'sequence',
  fields: new Map([
    ['$id', { type: 'string', column: 'key' }],
    ['key', { type: 'string', column: 'key' }],
    ['type', { type: 'string', column: TYPE_SQL }],
    ['size', { type: 'integer', column: 'size' }],
    ['required', { type: 'boolean', column: 'required' }],
    ['array', { type: 'boolean', column: 'array' }],
    ['status', { type: 'string', column: "'available'" }],
    ['error', { type: 'string', column: "''" }],
  ]),
};

function find(collection: Collection, key: string): Attribute {
  const attribute = collection.attributes.find((other) => other.key === key);
  if (!attribute) throw AppwriteError.about('attribute_not_found', key);
  return attribute;
}

export function attributeRoutes(service: DatabasesService): Route[] {
  const { catalogue } = service;

  async function change(
    params: CollectionPath,
    caller: Caller,
    action: 'create' | 'update' | 'delete',
    work: (collection: Collection) => Attribute,
  ): Promise<Record<string, unknown>> {
    const { database, id, attribute } = await catalogue.change(() => {
      const collection = service.collection(params, caller);
      return { ...collection, attribute: work(collection) };
    });
    const body = attributeJson(attribute);
    service.tell(
      caller,
      action,
      database,
      [
        ['collections', id],
        ['attributes', attribute.key],
      ],
      body,
    );
    return body;
  }

  const ofKind = (kind: AttributeKind) => [
    inBothDialects<Params>(
      `POST ${ATTRIBUTES}/${kind}`,
      WRITING,
      { ...COLLECTION_PARAMS, ...attributeParams(kind) },
      async ({ params, caller }) => {
        const path = params as unknown as CollectionPath & Omit<AttributeInput, 'kind'>;
        const { databaseId: _, collectionId: __, ...input } = path;
        const add = (collection: Collection) =>
          addAttribute(catalogue, collection, defineAttribute({ ...input, kind }));
        return { status: 202, body: await change(path, caller, 'create', add) };
      },
    ),
    inBothDialects(
      `PATCH ${ATTRIBUTES}/${kind}/:key`,
      WRITING,
      {
        ...ONE,
        elements: optional(elements(), undefined),
        required: required(boolean()),
        min: optional(bound(kind), undefined),
        max: optional(bound(kind), undefined),
        default: optional(anything(), null),
        size: optional(size(), undefined),
        newKey: optional(uid(), undefined),
      },
      async ({ params, caller }) =>
        ok(
          await change(params, caller, 'update', (collection) => {
            const old = find(collection, params.key);
            if (old.kind !== kind) throw new AppwriteError('attribute_type_invalid');
            return updateAttribute(catalogue, collection, old, params);
          }),
        ),
    ),
  ];

  /** Returns routes that respond with 501, not 404, for Appwrite's attribute kinds that are not supported here. */
  const refused = (kind: string) =>
    inBothDialects(`POST ${ATTRIBUTES}/${kind}`, WRITING, COLLECTION_PARAMS, ({ params, caller }) => {
      service.collection(params, caller);
      attributeKind(kind);
      return undefined;
    });

  return [
    ...ATTRIBUTE_KINDS.flatMap(ofKind),
    ...UNSUPPORTED_KINDS.map(refused),
    inBothDialects(
      `GET ${ATTRIBUTES}`,
      'collections.read',
      { ...COLLECTION_PARAMS, ...QUERY_PARAMS },
      ({ params, caller, dialect }) => {
        const scope = { sql: 'collection = ?', values: [service.collection(params, caller).sequence] };
        const noun = dialect.attributes === 'columns' ? 'Column' : 'Attribute';
        const source = { from: 'attributes', columns: '*', schema: SCHEMA, scope, noun };
        const show = (row: Parameters<typeof attributeOf>[0]) => attributeJson(attributeOf(row));
        return listAnswer(catalogue.store, source, params, dialect.attributes, show);
      },
    ),
    inBothDialects(`GET ${ATTRIBUTES}/:key`, 'collections.read', ONE, ({ params, caller }) =>
      ok(attributeJson(find(service.collection(params, caller), params.key))),
    ),
    inBothDialects(`DELETE ${ATTRIBUTES}/:key`, 'collections.write', ONE, async ({ params, caller }) => {
      await change(params, caller, 'delete', (collection) => {
        const attribute = find(collection, params.key);
        removeAttribute(catalogue, collection, attribute);
        return attribute;
      });
      return NO_CONTENT;
    }),
  ].flat();
}
