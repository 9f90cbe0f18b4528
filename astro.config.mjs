import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { backendInDevelopment, nodeWithOwnEntry } from './src/server/integration.ts';

export default defineConfig({
  output: 'server',
  adapter: nodeWithOwnEntry(new URL('./src/server/entry.ts', import.meta.url)),
  integrations: [react(), backendInDevelopment()],
  // The product keeps its own sessions in the backend.
  session: false,
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  build: { inlineStylesheets: 'always' },
  vite: { plugins: [tailwindcss()] },
});
