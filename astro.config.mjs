import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { sourceStamp } from './scripts/build-stamp.ts';
import { bundleAliases } from './src/server/astro/bundle-aliases.ts';
import { nodeWithOwnEntry, siteInDevelopment } from './src/server/astro/integration.ts';
import { islandScripts } from './src/server/astro/island-scripts.ts';

/** What is printed into the page as it is: the policy names it by its hash. */
const hashOf = (file) => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
const printed = ['src/layouts/theme-init.js', 'src/layouts/load-check.js', 'src/layouts/speculation-rules.json'].map(
  hashOf,
);

/**
 * Leaves `import()` as it is. The two steps taken out would wrap it in a helper that looks for preloads and style
 * sheets: styles are in the page already, and every public page would load the islands' scripts for it
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
 * What is always loaded together: one file packs better than the many that sharing between parts would make of it. A
 * group takes what it needs along, unless an earlier one has it: what every island needs comes before what the editor
 * does, or every page would load the editor.
 */
const loadedTogether = [
  ['react', /node_modules\/(?:react|react-dom|scheduler|nanostores|@nanostores)\//],
  [
    'islands',
    /src\/(?:blog\/(?:errors\.ts|messages(?:\.ts|\/(?:(?:shared|language)\.ts|german\/shared$))|images\.ts|schedule\/hours\.ts|slug-rules\.ts)|components\/(?:icons\/Icon|controls\/(?:Button|Spinner|Field|Banner))\.tsx|stores\/(?:account\/auth|import-with-retry|pictures\/media|posts\/(?:former-versions|post-actions|posts)|site|theme)\.ts|backend\/(?:browser\/(?:client|files|identity-headers|live|native-json|posts|revisions|session)|document|revision-ids|schema)\.ts|islands\/guard\/)/,
  ],
  ['form', /src\/islands\/(?:form\.ts|lazy\/)/],
  [
    'form-parts',
    /src\/islands\/post-form\/(?:notices\/Notice|Disclosure|FormUnavailable|draft\/(?:draft-(?:store|tabs)|recovered-drafts)|format-time|when-idle|editor\/pictures\/local-files)\.tsx?/,
  ],
  ['forms', /src\/blog\/forms\/forms\.ts/],
  ['editor-libraries', /node_modules\/(?:prosemirror-|@milkdown\/(?!react)|orderedmap|rope-sequence|w3c-keyname)/],
  [
    'editor-parts',
    /src\/(?:islands\/post-form\/editor\/(?:commands\/text-commands|find\/highlights|html\/|keys\/undo-boundary|bubbles\/BubbleForm)|blog\/(?:messages\/(?:german\/)?editor|content\/words))/,
  ],
].map(([name, test], place, { length }) => ({ name, test, priority: length - place }));

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(new URL('./src/server/entry.ts', import.meta.url)),
  // A stream for each of the dozens of small components of a list would take longer than all else.
  integrations: [react({ experimentalDisableStreaming: true }), siteInDevelopment()],
  // The product keeps its own sessions in the backend.
  session: false,
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  // One request before the first paint.
  build: { inlineStylesheets: 'always' },
  // What the policy allows beyond this depends on the backend's address: `layouts/Shell.astro`.
  security: {
    csp: {
      directives: [
        "default-src 'none'",
        // Posts may show pictures of other sites.
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
  // Pages ask for their place in the store through Astro's cache; `src/server/publishing.ts` keeps it.
  cache: {
    provider: { name: 'page-store', entrypoint: new URL('./src/page-store/cache-provider.ts', import.meta.url) },
  },
  vite: {
    plugins: [tailwindcss(), bundleAliases(), plainDynamicImports, islandScripts()],
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(sourceStamp()) },
    // Small fonts would stand in every page, for the few that have their letters.
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
