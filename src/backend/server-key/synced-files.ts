/**
 * Records which file in a synced folder belongs to which post, so that the post form can show the file. A record's id
 * is derived from the folder and the slug.
 */
import { createHash } from 'node:crypto';
import { type Models, Query } from 'node-appwrite';
import { OperatorError } from '#blog/errors.ts';
import type { PostValues } from '#blog/post.ts';
import { SYNCED_FILES_ID, type SyncedFileState } from '#blog/synced-file.ts';
import { literal } from '../document.ts';
import type { BackendServices } from '../keyed-backend.ts';
import { MAX_CONFLICT_CHARACTERS, MAX_PATH_CHARACTERS } from '../schema.ts';
import { unless } from '../unless.ts';
import { items } from '../walk.ts';

export interface FileRecord {
  readonly path: string;
  /** Hash of the file's text. */
  readonly file: string;
  /** The file's values for the conflicting fields; undefined if the file and the post are equal. */
  readonly conflict?: Partial<PostValues>;
}

export type SyncedFiles = ReturnType<ReturnType<typeof openSyncedFiles>>;

type Row = Models.DefaultDocument;

const PAGE = 500;
const FIELDS = ['$id', 'path', 'file'];

/** Works with a server key, or with a user's session for that user's own posts. */
export function openSyncedFiles({ databases, syncedFiles: place }: Pick<BackendServices, 'databases' | 'syncedFiles'>) {
  const folders = new Map<string, ReturnType<typeof open>>();
  /** Opens the records of one folder. Every method rejects with the SDK's error if the backend fails. */
  const open = (folder: string) => {
    /** Hash and path of each recorded file, by document id. */
    let known: Map<string, string> | undefined;
    let isMissing = false;
    const idOf = (slug: string) => createHash('sha256').update(`${folder}\0${slug}`).digest('hex').slice(0, 32);
    const list = async (queries: string[]) => {
      const ours = [Query.equal('folder', folder), Query.select(FIELDS)];
      return (await databases.listDocuments<Row>({ ...place, queries: [...ours, ...queries], total: false })).documents;
    };
    return {
      /**
       * Reads the records on the first call. If the collection is missing, the first call throws an OperatorError, and
       * later calls return false.
       */
      async load(): Promise<boolean> {
        if (known || isMissing) return !isMissing;
        const found = await unless('collection_not_found', Array.fromAsync(items(list, PAGE)));
        isMissing = !found;
        if (!found)
          throw new OperatorError(
            `the post form cannot show files without the collection ${SYNCED_FILES_ID}: \`npm run provision\` adds it`,
          );
        known = new Map(found.map((row) => [row.$id, keyOf(row as unknown as FileRecord)]));
        return true;
      },
      /** Returns true if the post has a record. With `record`, the path and the hash must match, too. */
      has(slug: string, record?: FileRecord): boolean {
        const key = known?.get(idOf(slug));
        return record ? key === keyOf(record) : key !== undefined;
      },
      async put(slug: string, userId: string, record: FileRecord): Promise<void> {
        const documentId = idOf(slug);
        const author = `user:${userId}`;
        const permissions = [`read("${author}")`, `update("${author}")`, `delete("${author}")`];
        const data = { postId: slug, folder, ...dataOf(record) };
        const write = { ...place, documentId, permissions };
        const update = () => databases.updateDocument({ ...write, data: literal(data) });
        const create = () => databases.createDocument({ ...write, data });
        if (known?.has(documentId)) (await unless('document_not_found', update())) ?? (await create());
        else (await unless(409, create())) ?? (await update());
        known?.set(documentId, keyOf(record));
      },
      async remove(slug: string): Promise<void> {
        const documentId = idOf(slug);
        await unless('document_not_found', databases.deleteDocument({ ...place, documentId }));
        known?.delete(documentId);
      },
      /** Returns true if the author has settled the conflict and the recorded file still has the hash `file`. */
      async isSettled(slug: string, file: string): Promise<boolean> {
        const found = await unless(
          'document_not_found',
          databases.getDocument<Row>({ ...place, documentId: idOf(slug), queries: [Query.select(['file', 'state'])] }),
        );
        return found?.state === 'settled' && found.file === file;
      },
    };
  };
  return (folder: string) => {
    const opened = folders.get(folder) ?? open(folder);
    folders.set(folder, opened);
    return opened;
  };
}

const keyOf = ({ path, file }: FileRecord): string => `${file} ${path.slice(0, MAX_PATH_CHARACTERS)}`;

function dataOf({ path, file, conflict }: FileRecord) {
  const state: SyncedFileState = conflict ? 'conflict' : 'equal';
  const json = conflict ? JSON.stringify(conflict) : '';
  return {
    path: path.slice(0, MAX_PATH_CHARACTERS),
    file,
    state,
    // If the values are too long to store, the form still shows that there is a conflict.
    conflict: json && json.length <= MAX_CONFLICT_CHARACTERS ? json : null,
    ...(!conflict && { equalAt: new Date().toISOString() }),
  };
}
