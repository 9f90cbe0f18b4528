import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { sourceStamp } from './scripts/build-stamp.ts';
import { backendInDevelopment, digestsOnce, nodeWithOwnEntry, reactAtOnce } from './src/server/integration.ts';
import { islandScripts } from './src/server/island-scripts.ts';
import { leanStyles } from './src/server/lean-styles.ts';
import { leanPackages, standIns } from './src/server/stand-ins.ts';

/** What is printed into the page as it is: the policy names it by its hash. */
const hashOf = (file) => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`;
const printed = ['src/layouts/theme-init.js', 'src/layouts/speculation-rules.json'].map(hashOf);

/**
 * Leaves `import()` as it is. The two steps taken out would wrap it in a helper that looks for preloads and style
 * sheets: styles are in the page already, and the helper alone would be most of a public page's script.
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
    /src\/(?:blog\/(?:messages(?:\.ts|\/(?:en|de\.browser|apart)\.ts)|images\.ts|slug-rules\.ts)|components\/(?:Icon|Button|Spinner|Field|Banner)\.tsx|stores\/(?:auth|load-part|media|former-versions|post-actions|posts|site)\.ts|backend\/(?!post-lists|count-by-strides)|islands\/guard\/)/,
  ],
  ['forms', /src\/(?:blog|islands)\/forms?\.ts/],
  [
    'form-parts',
    /src\/islands\/post-form\/(?:TryAgain|Notice|Message|draft(?:-tabs)?|moment|editor\/(?:use-part|local-pictures))\.tsx?/,
  ],
  ['editor-libraries', /node_modules\/(?:prosemirror-|@milkdown\/(?!react)|orderedmap|rope-sequence|w3c-keyname)/],
  [
    'editor-parts',
    /src\/(?:islands\/post-form\/editor\/(?:commands|highlights|stored|signature|Bubble)|blog\/(?:editor-text|content\/words))/,
  ],
].map(([name, test], place, { length }) => ({ name, test, priority: length - place }));

/**
 * Chromium compiles these whole while they arrive, beside the page's own thread. As a rule it compiles a function when it
 * is first called: a form takes an eighth less of that thread's time until it is there.
 */
const whole = new Set([...loadedTogether.map(({ name }) => name), 'ContentEditor', 'PostForm']);
const compiledAtOnce = ({ name }) => (whole.has(name) ? '//# allFunctionsCalledOnLoad' : '');

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(new URL('./src/server/entry.ts', import.meta.url)),
  integrations: [reactAtOnce(), backendInDevelopment()],
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
    provider: { name: 'page-store', entrypoint: new URL('./src/publishing/cache-provider.ts', import.meta.url) },
  },
  vite: {
    plugins: [
      tailwindcss(),
      leanStyles(),
      standIns(),
      leanPackages(),
      plainDynamicImports,
      islandScripts(),
      digestsOnce(),
    ],
    define: { 'import.meta.env.BUILD_ID': JSON.stringify(sourceStamp()) },
    // In the bundle, so that `standIns` reaches it.
    ssr: { noExternal: ['node-appwrite'] },
    environments: {
      client: {
        build: {
          rolldownOptions: { output: { postBanner: compiledAtOnce, codeSplitting: { groups: loadedTogether } } },
        },
      },
    },
  },
});
