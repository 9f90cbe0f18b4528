/** Imports posts for the site's owner. Functions throw ApiError with the server's error code as its message. */

import { IMPORT_CHUNK, type ImportAction, type ImportState } from '#blog/import.ts';
import { ask, request } from './people.ts';

export const importState = (): Promise<ImportState> => ask('/api/import');

export const changeImport = (action: ImportAction): Promise<ImportState> => ask('/api/import', action);

/** Uploads a file in chunks, calling `onProgress` before each one. @throws the reason of `signal` if it is aborted */
export async function sendExport(
  file: File,
  onProgress: (state: ImportState) => void,
  signal: AbortSignal,
): Promise<ImportState> {
  let state = await changeImport({ action: 'begin', name: file.name, size: file.size });
  while (state.received < file.size) {
    signal.throwIfAborted();
    onProgress(state);
    const query = new URLSearchParams({ upload: state.id, offset: `${state.received}` });
    state = await ask(`/api/import?${query}`, file.slice(state.received, state.received + IMPORT_CHUNK), signal);
  }
  return state;
}

/** Returns the import's report, a text file with the outcome of each entry. */
export const importReport = async (id: string): Promise<Blob> =>
  (await request(`/api/import?${new URLSearchParams({ report: id })}`)).blob();
