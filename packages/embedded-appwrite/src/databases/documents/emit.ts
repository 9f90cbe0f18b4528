import type { Caller } from '../../caller.ts';
import { type Answer, NO_CONTENT } from '../../http/route.ts';
import type { Dialect } from '../dialect.ts';
import { type DocumentEvent, EmittedDocument } from '../events.ts';
import type { DatabasesService } from '../service.ts';
import type { Changed } from './change.ts';
import { collectionIdsOf, documentJson, listParts } from './json.ts';
import { readersOf } from './rights.ts';
import type { DocumentTable } from './sqlite/table.ts';

export interface Committed extends Changed {
  readonly table: DocumentTable;
}

function emit(
  service: DatabasesService,
  caller: Caller,
  dialect: Dialect,
  { table, document, former }: Committed,
  action: DocumentEvent['action'],
): { readonly json: string; readonly delivered: Promise<unknown> | undefined } {
  const { collection } = table;
  const json = documentJson(table.render(document), collection, dialect);
  const roles = readersOf(collection, document.permissions);
  const changed = former && (() => table.changed(former, document));
  const payload = () => ({ ...table.values(document), ...collectionIdsOf(collection, dialect) });
  const event = { collection, id: document.id, action, roles, payload, changed };
  return { json, delivered: service.kernel.events.emit(new EmittedDocument(event, caller)) };
}

export async function answerChange(
  service: DatabasesService,
  { caller, dialect }: { caller: Caller; dialect: Dialect },
  committed: Committed,
  action: DocumentEvent['action'],
): Promise<Answer> {
  const { json, delivered } = emit(service, caller, dialect, committed, action);
  if (delivered) await delivered;
  if (action === 'delete') return NO_CONTENT;
  return { status: action === 'create' ? 201 : 200, json };
}

export async function answerChanges(
  service: DatabasesService,
  { caller, dialect }: { caller: Caller; dialect: Dialect },
  table: DocumentTable,
  changes: readonly Changed[],
  action: DocumentEvent['action'],
): Promise<Answer> {
  await Promise.all(changes.map((change) => emit(service, caller, dialect, { table, ...change }, action).delivered));
  const status = action === 'create' || action === 'upsert' ? 201 : 200;
  const shown = changes.map(({ document }) => table.render(document));
  return { status, json: [...listParts(changes.length, shown, table.collection, dialect)].join('') };
}
