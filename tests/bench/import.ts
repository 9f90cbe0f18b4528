/**
 * `npm run bench -- import [--megabytes N] [--dry]`: writes a WXR file of N MB (default 500) and imports it into an
 * empty site with `npm run import`; reports seconds per thousand posts and the peak resident memory.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { runCommand } from './command.ts';
import { optionsOf } from './options.ts';

const { megabytes, dry } = optionsOf({ megabytes: 500, dry: false });
const BYTES = megabytes * 1_000_000;
const PARAGRAPHS = 40;
const SENTENCE = 'The compositor sets the line, reads it upside down and from left to right, and locks it with care. ';

const folder = await mkdtemp(join(tmpdir(), 'common-ink-import-'));
const file = join(folder, 'large.xml');
const posts = await writeExport(file);
const { size } = await stat(file);
console.log(`${(size / 1e6).toFixed(0)} MB of WXR, ${posts} posts${dry ? ', dry run' : ''}`);
// No site listens on this port, so the command opens the data folder itself.
const environment = { DATA_DIR: join(folder, 'data'), PORT: `${await freePort()}`, NODE_ENV: 'production' };
// A dry run needs an initialised backend.
await runCommand('provision', [], environment);
const { seconds, peakMiB } = await runCommand(
  'import',
  ['wordpress', file, ...(dry ? ['--dry-run'] : [])],
  environment,
);
console.log(
  `${seconds.toFixed(1)} s, ${((seconds / posts) * 1000).toFixed(2)} s per 1,000 posts, at most ${peakMiB.toFixed(0)} MiB resident`,
);
await rm(folder, { recursive: true, force: true });

async function writeExport(path: string): Promise<number> {
  const out = createWriteStream(path);
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
    return text.length;
  };
  let written = await write(
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:content="c" xmlns:dc="d" xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url><wp:author><wp:author_login>ann</wp:author_login><wp:author_email>ann@example.com</wp:author_email></wp:author>\n',
  );
  let count = 0;
  while (written < BYTES) {
    count += 1;
    const paragraphs = Array.from(
      { length: PARAGRAPHS },
      (_, at) =>
        `<!-- wp:paragraph --><p>${at} of ${count}: <strong>ink</strong> ${SENTENCE.repeat(5)}</p><!-- /wp:paragraph -->\n\n`,
    );
    written += await write(
      `<item><title>Post ${count}</title><link>https://old.example/2020/post-${count}/</link><dc:creator>ann</dc:creator><content:encoded><![CDATA[${paragraphs.join('')}]]></content:encoded><wp:post_id>${count}</wp:post_id><wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>post-${count}</wp:post_name><wp:status>publish</wp:status><wp:post_type>post</wp:post_type></item>\n`,
    );
  }
  await write('</channel></rss>');
  out.end();
  await once(out, 'close');
  return count;
}
