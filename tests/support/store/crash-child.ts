/**
 * Stores pages as fast as it can until it is killed: `crash-child.ts DIRECTORY [VERSION]`. Prints each version once
 * the store has acknowledged all its pages.
 */
import { cacheDirectiveHeaders } from '#page-store/cache-directives.ts';
import { PageStore } from '#page-store/page-store.ts';

const [directory = ''] = process.argv.slice(2);
let version = Number(process.argv[3] ?? 0);

const store = new PageStore({
  directory,
  maximumBytes: 1e9,
  memoryBytes: 1e7,
  log: () => undefined,
  render: async (path) => {
    const headers = cacheDirectiveHeaders({ maxAge: 31_536_000, tags: [`post:${path.slice(6)}`, 'all'] });
    headers.set('content-type', 'text/html; charset=utf-8');
    return new Response(`${path} ${version} `.repeat(2000), { headers });
  },
});
process.stdout.write('open\n');
for (;;) {
  version++;
  const paths = Array.from({ length: 5 }, (_, i) => `/post/p${i}`);
  const change = store.invalidate({ tags: ['all'] }, paths);
  await Promise.all(paths.map((path) => store.refresh(path, change, 'test')));
  process.stdout.write(`${version}\n`);
}
