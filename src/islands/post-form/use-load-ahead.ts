/** Loads the code for sending in advance, while there is a connection. */

import { useRef } from 'react';
import type { Post } from '#blog/post.ts';
import { expectPictures } from '#stores/pictures/media.ts';
import { keepFormer } from '#stores/posts/former-versions.ts';
import { loadPostSchema } from './sending/load-post-schema.ts';
import { whenIdle } from './when-idle.ts';

/**
 * Returns a function to call when the writer types. It loads the code for sending and stores the former version of
 * `base`, each once. Failures to load are ignored, because sending tries again and shows them; `onFault` gets failures
 * to store the version.
 */
export function useLoadAhead(base: Post | undefined, onFault: (error: unknown) => unknown): () => void {
  const begun = useRef(false);
  const kept = useRef<Post>(undefined);
  return () => {
    if (!begun.current) whenIdle(loadCode);
    begun.current = true;
    if (!base || kept.current === base) return;
    kept.current = base;
    whenIdle(() => void keepFormer(base).catch(onFault));
  };
}

function loadCode() {
  void expectPictures();
  loadPostSchema().catch(() => {});
}
