import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { sourceStamp } from './scripts/build-stamp.ts';
import { bundleAliases } from './src/server/astro/bundle-aliases.ts';
import { nodeWithOwnEntry, siteInDevelopment } from './src/server/astro/integration.ts';
import { islandScripts } from './src/server/astro/island-scripts.ts';

/** Returns the hash by which the content security policy allows the inline script in `file`. */
const hashOf = (file) => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
const printed = ['src/layouts/theme-init.js', 'src/layouts/load-check.js', 'src/layouts/speculation-rules.json'].map(
  hashOf,
);

/**
 * Keeps `import()` plain: two of Vite's plugins would wrap it in a helper that preloads scripts and style sheets. Pages
 * have their styles inline, and the helper would make every public page load the islands' scripts
 * (docs/decisions/004-packages-as-they-are.md).
 */
const plainDynamicImports = {
  name: 'common-ink:plain-dynamic-imports',
  apply: 'build',
  configResolved: ({ plugins }) => {
    for (const name of ['vite:build-import-analysis', 'native:import-analysis-build']) {
      const at = plugins.findIndex((plugin) => plugin.name === name);
      if (at >= 0) plugins.splice(at, 1);
    }
  },
};

/**
 * Groups modules that are always loaded together, since one file compresses better than many. A group includes its
 * dependencies unless an earlier group has them, so the modules that every island shares come before the editor's;
 * otherwise every page with an island would load the editor.
 */
const loadedTogether = [
  ['react', /node_modules\/(?:react|react-dom|scheduler|nanostores|@nanostores)\//],
  [
    'islands',
    /src\/(?:blog\/(?:errors\.ts|messages(?:\.ts|\/(?:(?:shared|language)\.ts|german\/shared$))|images\.ts|schedule\/hours\.ts|slug-rules\.ts|page-slugs\.ts|routes\/post-address\.ts)|components\/(?:icons\/Icon|controls\/(?:Button|Spinner|Field|Banner))\.tsx|stores\/(?:account\/(?:auth|site-role)|import-with-retry|pictures\/media|posts\/(?:former-versions|post-actions|posts)|site|theme|web-storage)\.ts|backend\/(?:browser\/(?:client|files|live|native-json|posts|revisions|session)|document|revision-ids|schema)\.ts|islands\/(?:guard\/|use-(?:site-role|loaded|window-event)))/,
  ],
  ['form', /src\/islands\/(?:form\.ts|lazy\/)/],
  [
    'form-parts',
    /src\/(?:blog\/synced-file|components\/controls\/SelectField|islands\/post-form\/(?:notices\/Notice|Disclosure|FormUnavailable|draft\/(?:draft-(?:store|tabs)|recovered-drafts|use-draft)|format-time|when-idle|editor\/pictures\/local-files))\.tsx?/,
  ],
  ['forms', /src\/blog\/forms\/forms\.ts/],
  ['editor-libraries', /node_modules\/(?:prosemirror-|@milkdown\/|orderedmap|rope-sequence|w3c-keyname)/],
  [
    'editor-parts',
    /src\/(?:islands\/post-form\/editor\/(?:commands\/text-commands|find\/highlights|html\/|keys\/undo-boundary|bubbles\/BubbleForm|typography\/typography-setting)|blog\/(?:messages\/(?:german\/)?editor|content\/words))/,
  ],
].map(([name, test], place, { length }) => ({ name, test, priority: length - place }));

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(new URL('./src/server/entry.ts', import.meta.url)),
  // Opening a stream for each component of a list would take longer than rendering the rest of the page.
  integrations: [react({ experimentalDisableStreaming: true }), siteInDevelopment()],
  // Astro's sessions are unused: the backend stores the users' sessions.
  session: false,
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  // Inlines styles, so that the first paint needs only the page's own request.
  build: { inlineStylesheets: 'always' },
  // `layouts/Shell.astro` adds the parts of the content security policy that depend on the backend's address.
  security: {
    // Behind a proxy, Astro does not know the public origin, so `api/callers.ts` checks origins instead. Astro would
    // also refuse mail providers' one-click requests (RFC 8058), which have no `Origin`.
    checkOrigin: false,
    csp: {
      directives: [
        "default-src 'none'",
        // Posts may show pictures from other sites.
        "img-src 'self' data: blob: https:",
        "font-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: { hashes: printed },
    },
  },
  // Pages set their lifetime and tags through Astro's cache API; `src/server/publishing.ts` stores the rendered pages.
  cache: {
    provider: { name: 'page-store', entrypoint: new URL('./src/page-store/cache-provider.ts', import.meta.url) },
  },
  vite: {
    plugins: [tailwindcss(), bundleAliases(), plainDynamicImports, islandScripts()],
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(sourceStamp()) },
    // Never inlines fonts: every page would carry the small ones, although few pages need their characters.
    build: { assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined) },
    environments: {
      client: {
        build: {
          rolldownOptions: { output: { codeSplitting: { groups: loadedTogether } } },
        },
      },
    },
  },
});
