/** Posts for the bench, from a folder of Markdown or generated in the same shape. */
import { fileUrl } from '#blog/images.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { openArchive } from '#transfer/archive.ts';
import { headOf, textOf } from '#transfer/markdown/import.ts';
import { createLinks } from '#transfer/markdown/links.ts';
import { readSources } from '#transfer/markdown/sources.ts';
import type { Picture } from '#transfer/pictures.ts';
import { compose } from '#transfer/write/compose.ts';
import { picture } from '../../e2e/pictures.ts';

export interface BenchPost {
  readonly title: string;
  readonly content: string;
  readonly featuredImage: string;
}

export interface Texts {
  readonly pictures: readonly Pick<Picture, 'fileId' | 'name' | 'bytes'>[];
  /** Returns post n, with the slug `slugAt(n)`; no two posts have the same text. */
  at(n: number): BenchPost;
  /** Number of a post that contains code and has the median length of such posts. */
  readonly typical: number;
}

export const slugAt = (n: number): string => `post-${n}`;

const WORDS =
  'ink paper press type margin column letter plate proof sheet grain size fibre colour line face reader page hand'.split(
    ' ',
  );
const PICTURE = 'bench-picture';
const [WIDTH, HEIGHT] = [1200, 800];

/** Returns about 5 KB of text under four headings, with links, two code blocks, a list, a table and a picture. */
function contentOf(n: number, site: Site): string {
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => WORDS[(n * 7 + from + i * i + i) % WORDS.length]).join(' ');
  const paragraph = (from: number) => {
    const link = `<a href="${postPath(slugAt(n + from))}">${words(from, 3)}</a>`;
    return `<p>The ${words(from, 22)}, <em>${words(from + 1, 2)}</em> and <code>${words(from + 2, 1)}</code>: ${link} ${words(from + 3, 22)}.</p>`;
  };
  const part = (number: number, block: string) =>
    `<h2>Part ${number} on ${words(number, 3)}</h2>${paragraph(number)}${block}${paragraph(number + 5)}${paragraph(number + 9)}`;
  const rust = Array.from({ length: 5 }, (_, i) => {
    const name = `${WORDS[(n + i) % WORDS.length]}_${n}`;
    return `/// Gives the width of the ${words(i, 3)}.\npub fn ${name}(sheet: &amp;Sheet, size: u32) -&gt; Option&lt;u32&gt; {\n    let width = sheet.width().checked_sub(${n + i})?;\n    if width &gt; size { Some(width / 2) } else { None }\n}`;
  }).join('\n\n');
  const toml = `[package]\nname = "press-${n}"\nversion = "0.${n % 50}.1"\n\n[dependencies]\n${WORDS.slice(0, 6)
    .map((word, i) => `${word} = { version = "${i}.${n % 9}", features = ["${words(i, 1)}"] }`)
    .join('\n')}`;
  const items = Array.from({ length: 6 }, (_, i) => `<li>${words(i + 20, 8)}</li>`).join('');
  const rows = Array.from({ length: 6 }, (_, i) => `<tr><td>${words(i, 2)}</td><td>${n + i}</td></tr>`).join('');
  const shown = fileUrl({ ...site, endpoint: '/v1' }, PICTURE, 'view').replaceAll('&', '&amp;');
  return [
    part(1, `<p><img src="${shown}" alt="A sheet" width="${WIDTH}" height="${HEIGHT}"></p>`),
    part(2, `<pre><code class="language-rust">${rust}\n</code></pre>`),
    part(3, `<ul>${items}</ul><pre><code class="language-toml">${toml}\n</code></pre>`),
    part(4, `<table><thead><tr><th>Sheet</th><th>Size</th></tr></thead><tbody>${rows}</tbody></table>`),
  ].join('');
}

export function madeTexts(site: Site): Texts {
  return {
    pictures: [{ fileId: PICTURE, name: 'sheet.png', bytes: () => picture(WIDTH, HEIGHT) }],
    at: (n) => ({ title: `Post ${n} on paper and ink`, content: contentOf(n, site), featuredImage: PICTURE }),
    typical: 0,
  };
}

/** Imports the posts of a folder. Past the last post, `at` starts over with the first and adds a line to each copy. */
export async function importedTexts(folder: string, site: Site): Promise<Texts> {
  const archive = await openArchive(folder);
  const { sources } = await readSources(archive);
  const slugs = new Map(sources.map(({ path }, n) => [path, slugAt(n)]));
  const links = { follow: createLinks(sources, archive) };
  const composed = [];
  for (const source of sources) composed.push(await compose(headOf(source), textOf(source), { site, links, slugs }));
  const posts = composed.map(({ post }) => post);
  const withCode = posts
    .flatMap(({ content }, n) => (content.includes('<pre') ? [{ n, length: content.length }] : []))
    .sort((a, b) => a.length - b.length);
  const [first] = posts;
  if (!first) throw new Error(`There is no post in ${folder}.`);
  return {
    pictures: composed.flatMap(({ pictures }) => pictures),
    at(n) {
      const { title, content, featuredImage } = posts[n % posts.length] ?? first;
      const again = n < posts.length ? '' : `<p>Copy ${n}.</p>`;
      return { title, content: content + again, featuredImage: featuredImage || 'none' };
    },
    typical: withCode[withCode.length >> 1]?.n ?? 0,
  };
}
