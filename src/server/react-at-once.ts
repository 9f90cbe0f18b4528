/**
 * Writes React components into Astro's pages. What no browser takes over is rendered in one go: a list page has dozens
 * of small components, and `@astrojs/react` makes of each a stream of its own, twice.
 */
import react from '@astrojs/react/server.js';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** What React would have a browser load early; a page says that itself. */
const HINTS = /<link\s[^>]*rel="(?:preload|preconnect|dns-prefetch)"[^>]*>/g;

const renderer: typeof react = {
  ...react,
  // Astro knows its own components; all others here are React's.
  check: async (component: unknown) => typeof component === 'function' || typeof component === 'object',
  async renderToStaticMarkup(component, props, slots, metadata) {
    if (metadata?.hydrate || Object.keys(slots).length > 0) {
      return react.renderToStaticMarkup.call(this, component, props, slots, metadata);
    }
    const markup = renderToStaticMarkup(createElement(component as FunctionComponent, props));
    return { html: markup.replace(HINTS, ''), attrs: {} };
  },
};

export default renderer;
