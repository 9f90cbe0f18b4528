/** The slug follows the title until the writer takes it into his own hands. */

import { useRef } from 'react';

interface Slug {
  readonly edited: boolean;
  /** The title became `title`. */
  readonly follow: (title: string) => void;
  readonly take: (edited: boolean) => void;
}

export function useSlug(locked: boolean, write: (slug: string) => void): Slug {
  const state = useRef({ edited: locked, title: '' });
  return {
    get edited() {
      return state.current.edited;
    },
    follow: async (title) => {
      state.current.title = title;
      if (state.current.edited) return;
      // Loaded with the first letter: the tables for all the scripts of the world weigh as much as the form.
      const { slugFromTitle } = await import('#blog/slug.ts');
      if (!state.current.edited && state.current.title === title) write(slugFromTitle(title));
    },
    take: (edited) => {
      state.current.edited = locked || edited;
    },
  };
}
