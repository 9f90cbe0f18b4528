import { useEffect, useState } from 'react';
import type { Post } from '#blog/post.ts';
import type { SyncedFile } from '#blog/synced-file.ts';
import { listSyncedFiles } from '#stores/posts/synced-files.ts';
import { whenIdle } from '../when-idle.ts';

/** Returns the post's files in synced folders; none until they are loaded, or if they cannot be read. */
export function useSyncedFiles(post: Post | undefined) {
  const [files, setFiles] = useState<readonly SyncedFile[]>([]);
  useEffect(() => {
    if (post) whenIdle(() => listSyncedFiles(post).then(setFiles, () => {}));
  }, [post]);
  const settled = (file: SyncedFile | undefined) =>
    setFiles(files.map((each) => (each === file ? { ...file, state: 'settled' } : each)));
  return { files, settled };
}
