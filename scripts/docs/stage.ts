/** Writes the documentation as a folder of Markdown that the product's own import turns into the pages of a site. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { headingSlug } from '#blog/content/headings.ts';
import type { Chapter } from './contents.ts';
import { type DocsLink, type DocsPage, filesOf, isFolder, readPages } from './pages.ts';

export interface StageOptions {
  readonly root: string;
  readonly chapters: readonly Chapter[];
  /** URL of the repository, for links to files that are not pages. Without it, such links become plain text or code. */
  readonly repository?: string | undefined;
  /** URL to which a page's path is appended for “Edit this page”. Without it, pages have no such link. */
  readonly edit?: string | undefined;
}

export const CONTENTS = 'contents';

/** Writes the pages into `folder` and returns them. @throws OperatorError naming each page and link that is wrong */
export function stagePages(folder: string, options: StageOptions): DocsPage[] {
  const { root, chapters } = options;
  const pages = readPages(root, chapters);
  const dates = pages.map(({ file }) => changedAt(root, file));
  mkdirSync(folder, { recursive: true });
  const put = (slug: string, date: string, text: string) => {
    const author = { id: 'documentation', name: 'Documentation' };
    const head = stringify({ slug, kind: 'page', lang: 'en', date, author });
    writeFileSync(join(folder, `${slug}.md`), `---\n${head}---\n\n${text}`);
  };
  for (const [n, page] of pages.entries()) {
    const text = withLinks(page, folder, pages, options);
    put(page.slug, dates[n] ?? '', `${text}\n${footOf(page, pages[n - 1], pages[n + 1], options.edit)}`);
  }
  put(CONTENTS, dates.toSorted().at(-1) ?? '', contentsOf(pages, options));
  return pages;
}

/** Returns the time of the file's last commit (the same in every run) or, without a commit, its modification time. */
function changedAt(root: string, file: string): string {
  const log = ['log', '-1', '--format=%cI', '--', file];
  const committed = execFileSync('git', log, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return new Date(committed.trim() || statSync(join(root, file)).mtime).toISOString();
}

/** Returns the page's text, its links rewritten to staged pages or the repository. Copies pictures into `folder`. */
function withLinks({ text, links }: DocsPage, folder: string, pages: readonly DocsPage[], options: StageOptions) {
  let [done, at] = ['', 0];
  for (const link of links) {
    const { start, end } = link.node.position ?? {};
    if (link.node.type === 'image') copyFileSync(join(options.root, link.place), join(folder, basename(link.place)));
    done += text.slice(at, start?.offset) + linkText(link, text, pages, options);
    at = end?.offset ?? at;
  }
  return done + text.slice(at);
}

function linkText(link: DocsLink, text: string, pages: readonly DocsPage[], options: StageOptions): string {
  const { node, place, fragment } = link;
  if (node.type === 'image') return `![${node.alt}](${basename(place)})`;
  const [first, last] = [node.children[0], node.children.at(-1)];
  const words = text.slice(first?.position?.start.offset, last?.position?.end.offset);
  const to = pages.find(({ file }) => file === place);
  if (to) return `[${words}](${to.slug}.md${fragment})`;
  const isOnDisk = isFolder(options.root, place);
  const chapter = isOnDisk && options.chapters.find(({ files }) => files.includes(`${place}/`));
  if (chapter) return `[${words}](${CONTENTS}.md#${headingSlug(chapter.title)})`;
  if (options.repository)
    return `[${words}](${options.repository}/${isOnDisk ? 'tree' : 'blob'}/HEAD/${place}${fragment})`;
  return /[/.]/.test(words) && first?.type === 'text' ? `\`${words}\`` : words;
}

function footOf({ file }: DocsPage, before: DocsPage | undefined, after: DocsPage | undefined, edit?: string): string {
  const lines = [
    neighbour('Previous', before ?? { slug: CONTENTS, title: 'Contents' }),
    ...(after ? [neighbour('Next', after)] : []),
    ...(edit ? [`[Edit this page](${edit.replace(/\/+$/, '')}/${file})`] : []),
  ];
  return `\n---\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

/** Links to a neighbouring page, with its title as an attribute, so that a search for the title skips this page. */
const neighbour = (words: string, { slug, title }: Pick<DocsPage, 'slug' | 'title'>): string =>
  `[${words}](${slug}.md "${title.replaceAll(/["\\]/g, '\\$&')}")`;

function contentsOf(pages: readonly DocsPage[], { root, chapters }: StageOptions): string {
  const lines = chapters.flatMap(({ title, files }) => [
    `\n## ${title}\n\n`,
    ...files.flatMap((entry) => {
      const listed = filesOf(root, entry).flatMap((file) => pages.find((page) => page.file === file) ?? []);
      const [folder, indent] = entry.endsWith('/') ? [[`- ${folderTitle(entry)}\n`], '  '] : [[], ''];
      return [...folder, ...listed.map((page) => `${indent}- ${linkTo(page)} ${page.purpose}\n`)];
    }),
  ]);
  return `# Contents\n${lines.join('')}`;
}

const folderTitle = (entry: string): string => basename(entry).replace(/^./, (first) => first.toUpperCase());

const linkTo = ({ slug, title }: Pick<DocsPage, 'slug' | 'title'>): string =>
  `[${title.replaceAll(/[[\]`*_<]/g, '\\$&')}](${slug}.md)`;
