import type { Element, Parents, Root } from 'hast';
import type { WrittenPost } from '#backend/server-key/admin.ts';
import { headingSlug } from '#blog/content/headings.ts';
import { MOST_TAGS, tagsIn } from '#blog/content/markup-limit.ts';
import { elementsIn, parseHtml, textIn, writeHtml } from '#blog/content/tree.ts';
import { CONTENT_MAX, TITLE_MAX } from '#blog/forms/forms.ts';
import { fileUrl } from '#blog/images.ts';
import { postPath } from '#blog/routes/paths.ts';
import type { Site } from '#blog/site.ts';
import { decoded } from '../addresses.ts';
import type { Collection, PostHead, PostText, SourceWord } from '../document.ts';
import { storedHtml } from '../html/conform.ts';
import { isElement, replaceElement } from '../html/figures.ts';
import { missingFrom, wordsIn } from '../html/words.ts';
import { isPictureName, type Picture, readPicture } from '../pictures.ts';
import { withinTime } from '../time-limit.ts';

export interface Composed {
  readonly post: Omit<WrittenPost, 'userId'>;
  readonly pictures: readonly Picture[];
  /** Each picture's name in the source, keyed by the id under which the picture is stored. */
  readonly pictureNames: ReadonlyMap<string, string>;
  /** True if the text has too many HTML tags, so only its words are stored. */
  readonly isCut: boolean;
  readonly notes: readonly string[];
  readonly losses: readonly string[];
  readonly lacksPictures: boolean;
}

export interface ComposeOptions {
  readonly site: Site;
  readonly links: Pick<Collection, 'follow'>;
  readonly slugs: ReadonlyMap<string, string>;
  readonly addresses?: ReadonlyMap<string, string>;
  /** Maximum milliseconds for one text (default: `TEXT_MS`). */
  readonly longestMs?: number | undefined;
}

/** Turns a text into the post and the pictures to store. @throws Error with a sentence for the report */
export async function compose(head: PostHead, text: PostText, options: ComposeOptions): Promise<Composed> {
  const { path } = head;
  const slug = options.slugs.get(path) ?? '';
  const { tree, title } = text;
  const [notes, losses] = [[...text.notes], [...text.losses]];
  for (const reason of head.hidden ?? []) notes.push(`${reason}, so only its author can see it`);
  for (const field of head.unplaced ?? []) notes.push(`not imported: ${field}`);
  const pictures = new Map<string, Picture>();
  const isStored = text.isStored === true;
  const work: Work = { ...options, path, slug, pictures, notes, losses, isStored, lacksPictures: false };
  const elements = elementsIn(tree);
  for (const [element, parent] of elements) if (element.tagName === 'img') await rewritePicture(element, parent, work);
  for (const [element, parent] of elements) if (element.tagName === 'a') await rewriteLink(element, parent, work);
  if (!isStored) for (const [element, parent] of elements) if (element.tagName === 'a') nameLink(element, parent);
  const featured = head.image ? await featuredAt(head.image, work) : undefined;
  const lead = head.image === undefined ? takeLead(tree, work) : undefined;
  const { content, tags, lost } = withinTime(() => finished(text), options.longestMs);
  losses.push(...lost);
  const isCut = tags > MOST_TAGS;
  if (isCut) {
    const [elements, most] = [tags, MOST_TAGS].map((count) => Math.ceil(count / 2).toLocaleString('en-US'));
    notes.push(
      `only its words were imported: it has ${elements} elements, and at most ${most} are allowed. Split it into several posts`,
    );
  }
  return {
    post: {
      ...head.others,
      id: slug,
      title: isStored ? title : shortTitle(title, notes),
      content,
      featuredImage: (featured ?? lead)?.fileId ?? '',
      status: head.draft ? 'inactive' : 'active',
      createdAt: head.date,
      updatedAt: head.updated,
    },
    pictures: [...new Map([...pictures.values()].map((picture) => [picture.fileId, picture])).values()],
    pictureNames: new Map(Array.from(pictures, ([name, { fileId }]) => [fileId, name])),
    isCut,
    notes,
    losses,
    lacksPictures: work.lacksPictures,
  };
}

/** Returns the HTML to store, the number of tags before any cut, and the lost words. @throws Error if it is too long */
function finished({ tree, title, words }: PostText): { content: string; tags: number; lost: string[] } {
  const content = storedHtml(tree);
  if (content.length > CONTENT_MAX)
    throw new Error(
      `it is too long: it has ${content.length} characters of HTML, and at most ${CONTENT_MAX} can be stored`,
    );
  return { content, tags: tagsIn(writeHtml(tree)), lost: words ? wordsLost(words, title, content) : [] };
}

/** Returns a list with one sentence that names the words missing from the stored text; empty if none are missing. */
function wordsLost(written: readonly SourceWord[], title: string, html: string): string[] {
  const lost = missingFrom(written, [...wordsIn({ type: 'text', value: title }), ...wordsIn(parseHtml(html))]);
  const [first] = lost;
  if (!first) return [];
  const shown = lost.slice(0, 12).map(({ word }) => word);
  return [
    `${lost.length} ${lost.length === 1 ? 'word' : 'words'}${first.line ? `, from line ${first.line} on` : ''}: ${shown.join(' ')}${lost.length > shown.length ? ' …' : ''}`,
  ];
}

interface Work extends ComposeOptions {
  readonly path: string;
  readonly slug: string;
  readonly pictures: Map<string, Picture>;
  readonly notes: string[];
  readonly losses: string[];
  readonly isStored: boolean;
  lacksPictures: boolean;
}

async function rewriteLink(link: Element, parent: Parents, work: Work): Promise<void> {
  const { properties } = link;
  const { href } = properties;
  if (typeof href !== 'string' || 'dataFootnoteRef' in properties || 'dataFootnoteBackref' in properties) return;
  const target = work.links.follow(href, work.path);
  if (target.kind === 'post') {
    // This product's own exports turn every `/post/…` link into a path, even if the target is a page. For a text from
    // such an export (`isStored`), restores the original link.
    const own = work.isStored ? undefined : work.addresses?.get(target.path);
    const fragment = work.isStored ? target.fragment : headingFragment(target.fragment);
    properties.href = `${own ?? postPath(work.slugs.get(target.path) ?? '')}${fragment}`;
  } else if (target.kind === 'elsewhere') properties.href = target.href;
  else {
    const picture = await pictureAt(href, work);
    const own = picture ? addressOfPicture(picture, work) : target.kind === 'file' && target.file.address;
    if (target.kind === 'file' && target.file.isOfOldSite && isPictureAlone(link, own)) {
      replaceElement(parent, link, link.children);
      return;
    }
    if (own) {
      properties.href = own;
      return;
    }
    replaceElement(parent, link, link.children);
    const why =
      target.kind === 'file' ? 'it leads to a file that is neither a post nor a picture' : 'its target was not found';
    work.notes.push(`removed a link, because ${why}: ${href}`);
  }
}

/** Converts a heading's fragment from the old site to its form on this site, which begins with `h-`. */
function headingFragment(fragment: string): string {
  const slug = headingSlug(decoded(fragment.slice(1)));
  return slug === '' || /^#(?:h-|fn(?:ref)?-)/.test(fragment) ? fragment : `#h-${slug}`;
}

function nameLink(link: Element, parent: Parents): void {
  if (typeof link.properties.href !== 'string' || textIn(link).trim() !== '') return;
  const images = elementsIn(link).flatMap(([each]) => (each.tagName === 'img' ? [each] : []));
  const [first] = images;
  if (!first) replaceElement(parent, link, link.children);
  else if (images.every(({ properties: { alt } }) => !alt))
    first.properties.alt = decoded(link.properties.href)
      .replace(/^[a-z]+:\/*/, '')
      .replace(/[?#].*$|\/+$/, '')
      .slice(0, LONGEST_ADDRESS);
}

const LONGEST_ADDRESS = 100;

function isPictureAlone({ children }: Element, address: string | undefined | false): boolean {
  const [image, ...more] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  return isElement(image, 'img') && more.length === 0 && image.properties.src === address;
}

const addressOfPicture = ({ fileId }: Picture, { site }: Work): string =>
  fileUrl({ ...site, endpoint: '/v1' }, fileId, 'view');

async function rewritePicture(image: Element, parent: Parents, work: Work): Promise<void> {
  const { properties } = image;
  const source = typeof properties.src === 'string' ? properties.src : '';
  const target = work.links.follow(source, work.path);
  if (target.kind === 'elsewhere') {
    properties.src = target.href;
    return;
  }
  const picture = await pictureAt(source, work);
  if (picture) {
    properties.src = addressOfPicture(picture, work);
    if (!work.isStored) setSize(properties, picture);
    return;
  }
  work.lacksPictures = true;
  const address = target.kind === 'file' ? target.file.address : undefined;
  if (address) {
    properties.src = address;
    work.losses.push(`a picture could not be downloaded and is still shown from its old address: ${address}`);
    return;
  }
  const missing = `a picture was not found or not readable and was replaced with its description: ${source}`;
  if (target.kind === 'file' && target.file.isOfOldSite) work.losses.push(missing);
  else work.notes.push(missing);
  const alt = typeof properties.alt === 'string' ? properties.alt : '';
  replaceElement(parent, image, [{ type: 'text', value: alt }]);
}

/** Reads the featured picture. Notes a failure, because nothing in the text would show that the picture is missing. */
async function featuredAt(written: string, work: Work): Promise<Picture | undefined> {
  const picture = await pictureAt(written, work);
  work.lacksPictures ||= !picture;
  if (!picture && work.links.follow(written, work.path).kind !== 'nowhere')
    work.notes.push(`the featured picture was not imported: ${written}`);
  return picture;
}

/** Limits for featuring a text's first picture. Narrower pictures would be enlarged, other shapes would be cropped. */
const LEAD_WIDTH = 960;
const LEAD_SHAPES = { least: 1.2, most: 2.1 };

function takeLead(tree: Root, work: Work): Picture | undefined {
  const at = tree.children.findIndex((node) => node.type === 'element');
  const block = tree.children[at];
  if (block?.type !== 'element' || !/^(?:p|figure)$/.test(block.tagName)) return undefined;
  const [image, ...more] = block.children.filter((node) => !(node.type === 'text' && node.value.trim() === ''));
  if (!isElement(image, 'img') || more.length > 0) return undefined;
  const picture = [...work.pictures.values()].find((each) => addressOfPicture(each, work) === image.properties.src);
  if (!picture || picture.width < LEAD_WIDTH) return undefined;
  const shape = picture.width / picture.height;
  if (shape < LEAD_SHAPES.least || shape > LEAD_SHAPES.most) return undefined;
  tree.children.splice(at, 1);
  return picture;
}

async function pictureAt(written: string, work: Work): Promise<Picture | undefined> {
  const target = work.links.follow(written, work.path);
  if (target.kind !== 'file' || !isPictureName(target.file.name)) return undefined;
  const { file } = target;
  const known = work.pictures.get(file.key);
  if (known) return known;
  const picture = await readPicture(file, work.slug);
  if (picture) work.pictures.set(file.key, picture);
  return picture;
}

/** Sets width and height, to keep the layout stable. If the text gives only one, scales the other to match. */
function setSize(properties: Element['properties'], { width, height }: Picture): void {
  const given = (value: unknown) =>
    /^\d+(px)?$/.test(String(value ?? '')) ? Number.parseInt(String(value), 10) : undefined;
  const [wide, high] = [given(properties.width), given(properties.height)];
  if (width === 0 || height === 0) return;
  const scale = wide ? wide / width : high ? high / height : 1;
  properties.width = wide ?? Math.max(1, Math.round(width * scale));
  properties.height = high ?? Math.max(1, Math.round(height * scale));
}

function shortTitle(title: string, notes: string[]): string {
  const plain = title.replace(/\s+/g, ' ').trim();
  if (plain.length <= TITLE_MAX) return plain;
  notes.push(`its title was shortened to ${TITLE_MAX} characters: ${plain}`);
  return `${plain.slice(0, TITLE_MAX - 1).replace(/\s+\S*$/, '')}…`;
}
