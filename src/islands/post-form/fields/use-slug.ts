import { useRef } from 'react';
import { slugFromTitle } from '#blog/slug.ts';

export interface Slug {
  readonly edited: boolean;
  readonly follow: (title: string) => void;
  readonly take: (edited: boolean) => void;
  /** Called on focus and blur, because a focused field is never overwritten. */
  readonly enter: (inside: boolean) => void;
}

/** Keeps a `locked` slug, and one that the writer has `edited`; passes others to `write`. */
export function useSlug(locked: boolean, edited: boolean | undefined, write: (slug: string) => void): Slug {
  const state = useRef({ edited: locked || edited === true, inside: false, title: '', write });
  state.current.write = write;

  const apply = () => {
    const { title } = state.current;
    slugFromTitle(title).then(
      (made) => {
        const { edited, inside, title: now, write: writeNow } = state.current;
        if (now === title && !edited && !inside) writeNow(made);
      },
      (error: unknown) => console.error('The slug has to be written by hand:', error),
    );
  };

  return {
    get edited() {
      return state.current.edited;
    },
    follow: (title) => {
      state.current.title = title;
      apply();
    },
    take: (edited) => {
      state.current.edited = locked || edited;
    },
    enter: (inside) => {
      state.current.inside = inside;
      if (!inside && state.current.title) apply();
    },
  };
}
