import { AppwriteError } from '../../http/errors.ts';
import { optional, required, text, uid } from '../../http/params.ts';
import { endpoint, type Route } from '../../http/route.ts';
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

export function readRoutes(service: StorageService): Route[] {
  const { store } = service.kernel;
  const readRoute = (name: 'view' | 'download', headers: (file: FileRecord) => Record<string, string>) =>
    endpoint(
      `GET /storage/buckets/:bucketId/files/:fileId/${name}`,
      'files.read',
      READ_PARAMS,
      async ({ params, caller, request, response }) => {
        const pass = passOf(store, params.token);
        const { file } = openForReading(store, caller, params.bucketId, params.fileId, pass);
        if (!isComplete(file)) throw new AppwriteError('storage_file_not_found');
        await sendFile(service, file, request, response, headers(file));
        return undefined;
      },
    );
  return [readRoute('view', viewHeaders), readRoute('download', downloadHeaders)];
}
