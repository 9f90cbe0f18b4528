import type { Caller } from '../caller.ts';
import { SCHEMA_BODY } from '../http/body.ts';
import { AppwriteError } from '../http/errors.ts';
import { boolean, optional, required, uid } from '../http/params.ts';
import type { Params, Route } from '../http/route.ts';
import { type AttributeUpdate, addAttribute, removeAttribute, updateAttribute } from './attributes/change.ts';
import { type AttributeInput, attributeKind, defineAttribute } from './attributes/definition.ts';
import { attributeJson } from './attributes/json.ts';
import { ATTRIBUTE_KINDS, type AttributeKind, KINDS, UNSUPPORTED_KINDS } from './attributes/kinds.ts';
import { anything, attributeParams, bound, elements, size } from './attributes/params.ts';
import { attributeOf } from './catalogue/catalogue.ts';
import type { Attribute, Collection } from './catalogue/model.ts';
import { inBothDialects } from './dialect.ts';
import { COLLECTION_PARAMS } from './documents/params.ts';
import { emitCollectionEvent, type StructureAction } from './events.ts';
import { listOf, QUERY_PARAMS } from './query/listing.ts';
import type { QuerySchema } from './query/schema.ts';
import type { DatabasesService } from './service.ts';

const ATTRIBUTES = '/databases/:databaseId/collections/:collectionId/attributes';
const ONE = { ...COLLECTION_PARAMS, key: required(uid()) };

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

function emit(
  { kernel }: DatabasesService,
  caller: Caller,
  collection: Collection,
  attribute: Attribute,
  action: StructureAction,
): void {
  const level = ['attributes', attribute.key] as const;
  emitCollectionEvent(kernel.events, caller, collection, [level], action, attributeJson(attribute));
}

interface CollectionPath {
  readonly databaseId: string;
  readonly collectionId: string;
}

function createRoute(service: DatabasesService, kind: AttributeKind): Route[] {
  const { catalogue } = service;
  return inBothDialects<Params>({
    method: 'POST',
    path: `${ATTRIBUTES}/${kind}`,
    scope: 'collections.write',
    largestBody: SCHEMA_BODY,
    params: { ...COLLECTION_PARAMS, ...attributeParams(kind) },
    async handle({ params, caller }) {
      const { databaseId, collectionId, ...input } = params as unknown as CollectionPath & Omit<AttributeInput, 'kind'>;
      const { collection, attribute } = await catalogue.change(() => {
        const collection = service.collection(databaseId, collectionId, caller);
        return { collection, attribute: addAttribute(catalogue, collection, defineAttribute({ ...input, kind })) };
      });
      emit(service, caller, collection, attribute, 'create');
      return { status: 202, body: attributeJson(attribute) };
    },
  });
}

function updateRoute(service: DatabasesService, kind: AttributeKind): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'PATCH',
    path: `${ATTRIBUTES}/${kind}/:key`,
    scope: 'collections.write',
    largestBody: SCHEMA_BODY,
    params: {
      ...ONE,
      elements: optional(elements(), undefined),
      required: required(boolean()),
      min: optional(bound(kind), undefined),
      max: optional(bound(kind), undefined),
      default: optional(anything(), null),
      size: optional(size(), undefined),
      newKey: optional(uid(), undefined),
    },
    async handle({ params, caller }) {
      const { databaseId, collectionId, key, ...rest } = params;
      const update: AttributeUpdate = rest;
      const { collection, attribute } = await catalogue.change(() => {
        const collection = service.collection(databaseId, collectionId, caller);
        const old = find(collection, key);
        if (old.kind !== kind) throw new AppwriteError('attribute_type_invalid');
        return { collection, attribute: updateAttribute(catalogue, collection, old, update) };
      });
      emit(service, caller, collection, attribute, 'update');
      return { status: 200, body: attributeJson(attribute) };
    },
  });
}

/** Answers 501, not 404, for kinds that only Appwrite supports: the client's request is understood. */
function refusingRoute(service: DatabasesService, kind: string): Route[] {
  return inBothDialects({
    method: 'POST',
    path: `${ATTRIBUTES}/${kind}`,
    scope: 'collections.write',
    largestBody: SCHEMA_BODY,
    params: COLLECTION_PARAMS,
    handle({ params, caller }) {
      service.collection(params.databaseId, params.collectionId, caller);
      attributeKind(kind);
      return undefined;
    },
  });
}

function listRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: ATTRIBUTES,
    scope: 'collections.read',
    params: { ...COLLECTION_PARAMS, ...QUERY_PARAMS },
    handle({ params, caller, dialect }) {
      const collection = service.collection(params.databaseId, params.collectionId, caller);
      const scope = { sql: 'collection = ?', values: [collection.sequence] };
      const noun = dialect.attributes === 'columns' ? 'Column' : 'Attribute';
      const source = { from: 'attributes', columns: '*', schema: SCHEMA, scope, noun };
      const { rows, total } = listOf(service.kernel.store, source, params);
      return {
        status: 200,
        body: { total, [dialect.attributes]: rows.map((row) => attributeJson(attributeOf(row))) },
      };
    },
  });
}

function getRoute(service: DatabasesService): Route[] {
  return inBothDialects({
    method: 'GET',
    path: `${ATTRIBUTES}/:key`,
    scope: 'collections.read',
    params: ONE,
    handle({ params, caller }) {
      const collection = service.collection(params.databaseId, params.collectionId, caller);
      return { status: 200, body: attributeJson(find(collection, params.key)) };
    },
  });
}

function deleteRoute(service: DatabasesService): Route[] {
  const { catalogue } = service;
  return inBothDialects({
    method: 'DELETE',
    path: `${ATTRIBUTES}/:key`,
    scope: 'collections.write',
    params: ONE,
    async handle({ params, caller }) {
      const { collection, attribute } = await catalogue.change(() => {
        const collection = service.collection(params.databaseId, params.collectionId, caller);
        const attribute = find(collection, params.key);
        removeAttribute(catalogue, collection, attribute);
        return { collection, attribute };
      });
      emit(service, caller, collection, attribute, 'delete');
      return { status: 204 };
    },
  });
}

export function attributeRoutes(service: DatabasesService): Route[] {
  return [
    ...ATTRIBUTE_KINDS.flatMap((kind) => [...createRoute(service, kind), ...updateRoute(service, kind)]),
    ...UNSUPPORTED_KINDS.flatMap((kind) => refusingRoute(service, kind)),
    ...listRoute(service),
    ...getRoute(service),
    ...deleteRoute(service),
  ];
}
