/**
 * Writes React components into Astro's pages. What no browser takes over is rendered in one go: a list page has dozens
 * of small components, and `@astrojs/react` makes of each a stream of its own, twice.
 */
import react from '@astrojs/react/server.js';
import type { FunctionComponent } from 'react';
import { writtenOnce } from './written-once.ts';

const renderer: typeof react = {
  ...react,
  // Astro knows its own components; all others here are React's.
  check: async (component: unknown) => typeof component === 'function' || typeof component === 'object',
  async renderToStaticMarkup(component, props, slots, metadata) {
    if (metadata?.hydrate || Object.keys(slots).length > 0) {
      return react.renderToStaticMarkup.call(this, component, props, slots, metadata);
    }
    return { html: writtenOnce(component as FunctionComponent, props), attrs: {} };
  },
};

export default renderer;
