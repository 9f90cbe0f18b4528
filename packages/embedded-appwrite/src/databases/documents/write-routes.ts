import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../caller.ts';
import { BODY_LIMIT } from '../../http/body.ts';
import { AppwriteError } from '../../http/errors.ts';
import { customId, list, object, optional, required, text, validator } from '../../http/params.ts';
import type { Answer, Route } from '../../http/route.ts';
import { type Dialect, inBothDialects } from '../dialect.ts';
import type { DocumentEvent } from '../events.ts';
import type { CollectionPath, DatabasesService } from '../service.ts';
import { createInBulk, MOST_IN_BULK } from './bulk.ts';
import { type Change, type Changed, createDocument, deleteDocument, patchDocument, upsertDocument } from './change.ts';
import { answerChange } from './emit.ts';
import { incrementDocument } from './increment.ts';
import {
  DELETE_LIMITS,
  DOCUMENT,
  DOCUMENT_PARAMS,
  DOCUMENTS,
  DOCUMENTS_PARAMS,
  data,
  permissions,
  unmodifiedSince,
  WRITE_LIMITS,
} from './params.ts';

const WRITING = { scope: 'documents.write', limits: WRITE_LIMITS };
const WITH_DATA = { ...WRITING, largestBody: BODY_LIMIT };

const isNumber = (raw: unknown): raw is number | bigint =>
  typeof raw === 'bigint' || (typeof raw === 'number' && Number.isFinite(raw));
const number = validator('Value must be a valid number', (raw) => (isNumber(raw) ? raw : undefined));
const positive = validator('Value must be numeric and greater than 0', (raw) =>
  isNumber(raw) && raw > 0 ? raw : undefined,
);

function requirePayload({ data, permissions }: Pick<Change, 'data' | 'permissions'>): void {
  if (Object.keys(data).length === 0 && permissions === undefined) throw new AppwriteError('document_missing_payload');
}

interface ChangeContext {
  readonly params: CollectionPath & { documentId: string } & Partial<Pick<Change, 'data' | 'permissions'>>;
  readonly caller: Caller;
  readonly dialect: Dialect;
  readonly request: IncomingMessage;
}

export function documentWriteRoutes(service: DatabasesService): Route[] {
  const { store } = service.kernel;

  async function changing(
    { params, caller, dialect, request }: ChangeContext,
    action: DocumentEvent['action'],
    work: (change: Change) => Changed,
    write = store.write,
  ): Promise<Answer> {
    const { documentId: id, data = {}, permissions } = params;
    const since = action === 'create' ? undefined : unmodifiedSince(request);
    const committed = await write(() => {
      const table = service.documents(params, caller);
      return { table, ...work({ table, caller, id, data, permissions, unmodifiedSince: since }) };
    });
    return answerChange(service, { caller, dialect }, committed, action);
  }

  const step = (direction: 'increment' | 'decrement') => {
    const bound = direction === 'increment' ? 'max' : 'min';
    return inBothDialects(
      `PATCH ${DOCUMENT}/:attribute/${direction}`,
      WRITING,
      {
        ...DOCUMENT_PARAMS,
        attribute: required(text(36)),
        value: optional(positive, 1),
        [bound]: optional(number, undefined),
      },
      (context) => {
        const { attribute, value } = context.params;
        const { [bound]: limit } = context.params as { readonly max?: number | bigint; readonly min?: number | bigint };
        const by = direction === 'increment' ? value : -value;
        return changing(context, 'update', (change) => incrementDocument(change, { attribute, by, limit }));
      },
    );
  };

  return [
    inBothDialects(
      `POST ${DOCUMENTS}`,
      WITH_DATA,
      {
        ...DOCUMENTS_PARAMS,
        documentId: optional(customId(), ''),
        data,
        permissions,
        documents: optional(list(object(), MOST_IN_BULK), []),
      },
      (context) => {
        const { documentId, data, documents } = context.params;
        if (documents.length > 0) return createInBulk(service, context);
        if (Object.keys(data).length === 0) throw new AppwriteError('document_missing_data');
        if (documentId === '') {
          const noun = context.dialect.documents === 'rows' ? 'Row' : 'Document';
          throw new AppwriteError(
            'document_missing_data',
            `${noun} ID is required when creating a single ${noun.toLowerCase()}.`,
          );
        }
        return changing(context, 'create', createDocument);
      },
    ),
    inBothDialects(`PATCH ${DOCUMENT}`, WITH_DATA, { ...DOCUMENT_PARAMS, data, permissions }, (context) => {
      requirePayload(context.params);
      return changing(context, 'update', patchDocument);
    }),
    inBothDialects(
      `PUT ${DOCUMENT}`,
      WITH_DATA,
      { ...DOCUMENT_PARAMS, documentId: required(customId()), data, permissions },
      (context) => {
        requirePayload(context.params);
        return changing(context, 'upsert', upsertDocument);
      },
    ),
    inBothDialects(
      `DELETE ${DOCUMENT}`,
      { scope: 'documents.write', limits: DELETE_LIMITS },
      DOCUMENT_PARAMS,
      (context) => changing(context, 'delete', deleteDocument, store.writeThoughFull),
    ),
    step('increment'),
    step('decrement'),
  ].flat();
}
