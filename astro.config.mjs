import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { sourceStamp } from './scripts/build-stamp.ts';
import { bundleAliases } from './src/server/astro/bundle-aliases.ts';
import { nodeWithOwnEntry, siteInDevelopment } from './src/server/astro/integration.ts';
import { islandScripts } from './src/server/astro/island-scripts.ts';

/** Returns the hash by which the policy allows an inline script or style. */
const hashOf = (file) => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
const printed = ['src/layouts/theme-init.js', 'src/layouts/load-check.js', 'src/layouts/speculation-rules.json'].map(
  hashOf,
);

/**
 * Keeps `import()` plain. Two of Vite's steps would wrap it in a helper that looks for preloads and style sheets:
 * styles are in the page already, and every public page would load the islands' scripts for it
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
 * dependencies unless an earlier group has them, so the modules of every island come before the editor's; otherwise
 * every page would load the editor.
 */
const loadedTogether = [
  ['react', /node_modules\/(?:react|react-dom|scheduler|nanostores|@nanostores)\//],
  [
    'islands',
    /src\/(?:blog\/(?:errors\.ts|messages(?:\.ts|\/(?:(?:shared|language)\.ts|german\/shared$))|images\.ts|schedule\/hours\.ts|slug-rules\.ts|page-slugs\.ts|routes\/post-address\.ts)|components\/(?:icons\/Icon|controls\/(?:Button|Spinner|Field|Banner))\.tsx|stores\/(?:account\/(?:auth|site-role)|import-with-retry|pictures\/media|posts\/(?:former-versions|post-actions|posts)|site|theme)\.ts|backend\/(?:browser\/(?:client|files|live|native-json|posts|revisions|session)|document|revision-ids|schema)\.ts|islands\/(?:guard\/|use-site-role))/,
  ],
  ['form', /src\/islands\/(?:form\.ts|lazy\/)/],
  [
    'form-parts',
    /src\/(?:components\/controls\/SelectField|islands\/post-form\/(?:notices\/Notice|Disclosure|FormUnavailable|draft\/(?:draft-(?:store|tabs)|recovered-drafts)|format-time|when-idle|editor\/pictures\/local-files))\.tsx?/,
  ],
  ['forms', /src\/blog\/forms\/forms\.ts/],
  ['editor-libraries', /node_modules\/(?:prosemirror-|@milkdown\/|orderedmap|rope-sequence|w3c-keyname)/],
  [
    'editor-parts',
    /src\/(?:islands\/post-form\/editor\/(?:commands\/text-commands|find\/highlights|html\/|keys\/undo-boundary|bubbles\/BubbleForm)|blog\/(?:messages\/(?:german\/)?editor|content\/words))/,
  ],
].map(([name, test], place, { length }) => ({ name, test, priority: length - place }));

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(new URL('./src/server/entry.ts', import.meta.url)),
  // A stream per small component of a list would take longer than everything else.
  integrations: [react({ experimentalDisableStreaming: true }), siteInDevelopment()],
  // The backend keeps the product's sessions.
  session: false,
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  // One request before the first paint.
  build: { inlineStylesheets: 'always' },
  // `layouts/Shell.astro` adds the parts of the policy that depend on the backend's address.
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
  // Pages request storage through Astro's cache; `src/server/publishing.ts` keeps the store.
  cache: {
    provider: { name: 'page-store', entrypoint: new URL('./src/page-store/cache-provider.ts', import.meta.url) },
  },
  vite: {
    plugins: [tailwindcss(), bundleAliases(), plainDynamicImports, islandScripts()],
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(sourceStamp()) },
    // Small fonts would be inlined in every page, although few need their characters.
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
