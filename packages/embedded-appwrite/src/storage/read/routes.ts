/** View and download (contract 2.7). */
import { AppwriteError } from '../../http/errors.ts';
import { optional, required, text, uid } from '../../http/params.ts';
import { type Route, route } from '../../http/route.ts';
import { type FileRecord, isComplete } from '../files/file.ts';
import { openForReading } from '../rights.ts';
import type { StorageService } from '../service.ts';
import { passOf } from '../tokens/token.ts';
import { downloadHeaders, viewHeaders } from './headers.ts';
import { sendFile } from './send.ts';

export const READ_PARAMS = {
  bucketId: required(uid()),
  fileId: required(uid()),
  token: optional(text(512), ''),
};

function readRoute(
  service: StorageService,
  name: 'view' | 'download',
  headers: (file: FileRecord) => Record<string, string>,
): Route {
  const { store } = service.kernel;
  return route({
    method: 'GET',
    path: `/storage/buckets/:bucketId/files/:fileId/${name}`,
    scope: 'files.read',
    params: READ_PARAMS,
    async handle({ params, caller, request, response }) {
      const pass = passOf(store, params.token);
      const { file } = openForReading(store, caller, params.bucketId, params.fileId, pass);
      if (!isComplete(file)) throw new AppwriteError('storage_file_not_found');
      await sendFile(service, file, request, response, headers(file));
      return undefined;
    },
  });
}

export function readRoutes(service: StorageService): Route[] {
  return [readRoute(service, 'view', viewHeaders), readRoute(service, 'download', downloadHeaders)];
}
