import { stringify } from 'yaml';
import type { Account, WholeSite } from '#backend/server-key/whole-site.ts';
import { filesShownIn, fileUrl } from '#blog/images.ts';
import { OPTIONAL_FIELD_NAMES, type Post } from '#blog/post.ts';
import { postSlugOf } from '#blog/routes/canonical.ts';
import { postPath } from '#blog/routes/paths.ts';
import { addressesOfSlug } from '#blog/routes/post-address.ts';
import type { Site } from '#blog/site.ts';
import { parseRedirects, type Redirect } from '#redirects/redirects-file.ts';
import { FORM_FIELD, formName, MATHEMATICS_FIELD } from '../markdown/own-text.ts';
import { isPictureName } from '../pictures.ts';
import { writeText } from './write-text.ts';

export interface MarkdownExportOptions {
  readonly source: WholeSite;
  readonly site: Site;
  readonly redirects: string;
  readonly put: (path: string, bytes: Buffer) => Promise<void>;
}

export interface MarkdownExportReport {
  readonly posts: number;
  readonly drafts: number;
  readonly pictures: number;
  readonly faults: readonly string[];
}

/** Writes all posts, their pictures, accounts and redirects. @throws the SDK's error, or the error of `put` */
export async function exportMarkdown(options: MarkdownExportOptions): Promise<MarkdownExportReport> {
  const { source, put } = options;
  const [slugs, accounts] = [await source.slugs(), await source.accounts()];
  const { pages } = parseRedirects(options.redirects);
  const work: Work = {
    ...options,
    slugs,
    accounts: new Map(accounts.map((account) => [account.id, account])),
    addresses: Map.groupBy(pages, ({ to }) => to),
    pictures: new Map(),
    faults: [],
  };
  let [posts, drafts] = [0, 0];
  for await (const post of source.posts()) {
    await put(`posts/${post.id}.md`, Buffer.from(await postFile(post, work)));
    posts += 1;
    if (post.status === 'inactive') drafts += 1;
  }
  const others = pages.filter(({ to }) => !slugs.has(postSlugOf(to) ?? ''));
  await put('redirects', Buffer.from(others.map(({ from, to }) => `${from} ${to}\n`).join('')));
  await put('people.yaml', Buffer.from(stringify(accounts.map(personOf))));
  await put('README.md', Buffer.from(README));
  const pictures = [...work.pictures.values()].filter((path) => path !== undefined).length;
  return { posts, drafts, pictures, faults: work.faults };
}

export interface Work extends Pick<MarkdownExportOptions, 'site' | 'put'> {
  readonly source: Pick<WholeSite, 'file'>;
  readonly slugs: ReadonlySet<string>;
  readonly accounts: ReadonlyMap<string, Account>;
  readonly addresses: ReadonlyMap<string, readonly Redirect[]>;
  /** Paths of the written pictures by id; undefined for a picture that no longer exists. */
  readonly pictures: Map<string, string | undefined>;
  readonly faults: string[];
}

const personOf = ({ id, name, email, role }: Account) => ({ id, name, ...(email && { email }), ...(role && { role }) });

const slugIn = (address: string): string | undefined =>
  /^([a-z0-9][a-z0-9._-]{0,35})$/.exec(address.startsWith(postPath('')) ? address.slice(postPath('').length) : '')?.[1];

/** Returns a post's Markdown file for the folder `posts`, and writes the post's pictures with `put`. */
export async function postFile(post: Post, work: Work): Promise<string> {
  const { id, title, content, status, featuredImage, createdAt, updatedAt, userId } = post;
  const text = await withOwnPaths(content, work);
  const { body, form, html } = writeText(text);
  if (html !== text)
    work.faults.push(
      `${postPath(id)} contains HTML that cannot be exported exactly. The file has what the page shows.`,
    );
  const picture = featuredImage && (await pictureAt(featuredImage, work));
  if (featuredImage && !picture) work.faults.push(`${postPath(id)}: its featured picture ${featuredImage} is missing.`);
  const author = work.accounts.get(userId);
  const fields = {
    title,
    slug: id,
    date: createdAt,
    ...(updatedAt !== createdAt && { updated: updatedAt }),
    draft: status === 'inactive',
    author: personOf(author ?? { id: userId, name: userId, email: '', role: undefined }),
    featuredImage: picture ? `../${picture}` : '',
    ...Object.fromEntries(
      OPTIONAL_FIELD_NAMES.flatMap((name) => (post[name] === undefined ? [] : [[name, post[name]]])),
    ),
    aliases: addressesOfSlug(id).flatMap((to) => (work.addresses.get(to) ?? []).map(({ from }) => from)),
    ...(form.hasMathematics && { [MATHEMATICS_FIELD]: true }),
    [FORM_FIELD]: formName(form),
  };
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n\n${body.endsWith('\n') ? body : `${body}\n`}`;
}

/**
 * Writes the pictures that the HTML in `content` shows. Returns `content` with the URLs of pictures and posts replaced
 * by paths relative to `posts`.
 */
export async function withOwnPaths(content: string, work: Work): Promise<string> {
  const { site, slugs } = work;
  const ids = filesShownIn(content, site.bucketId);
  const linksPosts = content.includes(`"${postPath('')}`);
  if (ids.length === 0 && !linksPosts) return content;
  const paths = new Map<string, string>();
  for (const id of ids) {
    const path = await pictureAt(id, work);
    if (path) paths.set(fileUrl({ ...site, endpoint: '/v1' }, id, 'view'), `../${path}`);
    else work.faults.push(`A post shows a picture that is missing: ${id}.`);
  }
  return content.replace(/(?<=<(?:a|img)\b[^<>]*? (href|src)=")[^"]*(?=")/g, (written) => {
    const address = written.replaceAll('&amp;', '&');
    const [, path = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? [];
    const slug = slugIn(path);
    if (slug && slugs.has(slug)) return `${slug}.md${written.slice(path.length)}`;
    return fragment === '' ? (paths.get(address) ?? written) : written;
  });
}

/** Writes a picture with `put` and returns its path in the export; undefined if the picture no longer exists. */
export async function pictureAt(id: string, work: Work): Promise<string | undefined> {
  if (work.pictures.has(id)) return work.pictures.get(id);
  const file = await work.source.file(id);
  const path = file && `pictures/${id}/${plainName(file)}`;
  if (path) await work.put(path, file.bytes);
  work.pictures.set(id, path);
  return path;
}

function plainName({ name, mimeType }: { readonly name: string; readonly mimeType: string }): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(-80);
  return isPictureName(plain) ? plain : `${plain || 'picture'}.${mimeType.split('/')[1] ?? 'png'}`;
}

const README = `A blog as files.

posts/      one Markdown file for each post. The front matter above the text has the other fields. Anything that Markdown cannot express is HTML.
pictures/   the posts' pictures exactly as they were uploaded, each in a folder named after its id
people.yaml everyone with an account, without passwords
redirects   old addresses that lead to something other than a post; a post lists its own old addresses as "aliases"

To import all of this into Common Ink: npm run import -- markdown PATH
`;
