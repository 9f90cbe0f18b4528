/**
 * Imports posts for the site's owner; the server reads the file. Functions throw PeopleFailure with the server's code.
 */

import * as backend from '#backend/browser.ts';
import { IMPORT_CHUNK, type ImportAction, type ImportState } from '#blog/import.ts';
import { PeopleFailure } from '#blog/messages/people.ts';
import { ask } from './people.ts';

export const importState = (): Promise<ImportState> => ask('/api/import');

export const changeImport = (action: ImportAction): Promise<ImportState> => ask('/api/import', action);

/**
 * Uploads `file` in chunks and calls `onProgress` before each.
 * @throws the reason of `signal` if it is aborted.
 */
export async function sendExport(
  file: File,
  onProgress: (state: ImportState) => void,
  signal: AbortSignal,
): Promise<ImportState> {
  let state = await changeImport({ action: 'begin', name: file.name, size: file.size });
  while (state.received < file.size) {
    signal.throwIfAborted();
    onProgress(state);
    state = await sendChunk(state, file.slice(state.received, state.received + IMPORT_CHUNK), signal);
  }
  return state;
}

async function sendChunk({ id, received }: ImportState, body: Blob, signal: AbortSignal): Promise<ImportState> {
  const query = new URLSearchParams({ upload: id, offset: `${received}` });
  const headers = { 'content-type': 'application/octet-stream', ...(await backend.identityHeaders()) };
  const response = await fetch(`/api/import?${query}`, { method: 'POST', headers, body, signal }).catch(
    () => undefined,
  );
  signal.throwIfAborted();
  const answer = (await response?.json().catch(() => ({}))) as (ImportState & { readonly error?: string }) | undefined;
  if (!response?.ok || !answer) throw new PeopleFailure(response?.status ?? 0, answer?.error ?? '');
  return answer;
}

/** Returns the result of each entry as text. */
export async function importReport(id: string): Promise<Blob> {
  const query = new URLSearchParams({ report: id });
  const response = await fetch(`/api/import?${query}`, { headers: await backend.identityHeaders() }).catch(
    () => undefined,
  );
  if (!response?.ok) throw new PeopleFailure(response?.status ?? 0, '');
  return response.blob();
}
