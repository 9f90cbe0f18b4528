/** The slug follows the title until the writer takes it into his own hands. */

import { useEffect, useRef } from 'react';

interface Slug {
  readonly edited: boolean;
  /** The title became `title`. */
  readonly follow: (title: string) => void;
  readonly take: (edited: boolean) => void;
  /** The slug's field was entered or left: while the writer is in it, nothing is written into it. */
  readonly enter: (inside: boolean) => void;
}

/** `locked` slugs stay as they are; others are handed to `write`. */
export function useSlug(locked: boolean, write: (slug: string) => void): Slug {
  const state = useRef({ edited: locked, inside: false, title: '', write });
  state.current.write = write;
  const make = useRef<(title: string) => string>(undefined);

  const apply = () => {
    const { edited, inside, title } = state.current;
    if (make.current && !edited && !inside) state.current.write(make.current(title));
  };
  // By itself and after the form: its tables for all the scripts of the world weigh as much as the form.
  useEffect(() => {
    if (locked) return;
    import('#blog/slug.ts').then(
      ({ slugFromTitle }) => {
        make.current = slugFromTitle;
        if (state.current.title) apply();
      },
      (error: unknown) => console.error('The slug has to be written by hand:', error),
    );
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the life of the form.
  }, [locked, apply]);

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
