/** Composes the newsletter's mails, without network: a post, a digest of posts, and the question to a new subscriber. */
import type { Element } from 'hast';
import { textLanguageOf } from '#blog/content/code/language.ts';
import { chosenLanguage } from '#blog/content/code/languages.ts';
import { languageOfScript } from '#blog/content/detect-script.ts';
import { isHeading } from '#blog/content/headings.ts';
import { excerpt } from '#blog/content/text.ts';
import { linesIn } from '#blog/content/tree.ts';
import { dayText } from '#blog/dates.ts';
import { cutHeight, type Preview, previewUrl } from '#blog/images.ts';
import { language } from '#blog/messages/language.ts';
import { newsletterMailText as texts } from '#blog/messages/newsletter-mail.ts';
import { postText } from '#blog/messages.ts';
import type { ComposedMail } from '#blog/newsletter/newsletter.ts';
import { sizeInId } from '#blog/pictures/file-id.ts';
import type { Post } from '#blog/post.ts';
import { HOME } from '#blog/routes/paths.ts';
import { addressOfPost } from '#blog/routes/post-address.ts';
import { absolute } from '#blog/seo/addresses.ts';
import { xml } from '#blog/seo/xml.ts';
import type { Site } from '#blog/site.ts';
import { blockHtml, blocksOf, type Direction, directionOf, startOf } from './html-part.ts';
import { button, type Frame, frameBytes, frameMail, small } from './mail.ts';
import { oneLine } from './one-line.ts';
import { type MailStyles, type MailTheme, stylesOf, TEXT_WIDTH } from './styles.ts';

export { personalise } from './mail.ts';

export interface MailOptions {
  readonly site: Site;
  readonly theme?: MailTheme;
  /** The postal or contact line that the law of most countries asks for. May have several lines. */
  readonly contact: string;
  /** Names by user id. */
  readonly authors?: ReadonlyMap<string, string>;
}

/** Gmail cuts HTML of more than 102 KB off. The rest is for the subscriber's links. */
export const MOST_BYTES = 95_000;
/** Characters of a post's text that are read for a mail: reading more would delay other work of the server. */
const LONGEST_READ = 2 * MOST_BYTES;
/** Characters of a post's beginning in a digest and in the line that lists of mails show. */
const EXCERPT = 300;
const PREHEADER = 160;

/** Returns the mail of an issue: its post, or a digest of several. */
export const composeIssue = (posts: readonly Post[], options: MailOptions): ComposedMail =>
  posts.length === 1 ? composePost(posts[0] as Post, options) : composeDigest(posts, options);

/**
 * Returns the mail of one post, with placeholders that `personalise` fills. A post too long for Gmail ends after a
 * whole block, with a link to the rest.
 */
export function composePost(post: Post, options: MailOptions): ComposedMail {
  const { site, theme } = options;
  const url = absolute(site, addressOfPost(post));
  const styles = stylesOf(theme);
  const beginning = post.excerpt || excerpt(post.content, PREHEADER);
  const title = oneLine(post.title) || oneLine(site.name);
  const frame: Frame = { ...options, theme, styles, subject: title, preheader: beginning };
  const isLong = post.content.length > LONGEST_READ;
  const blocks = blocksOf(post.content.slice(0, LONGEST_READ), url);
  if (isLong) blocks.pop();
  const found = chosenLanguage(post.language) ?? textLanguageOf(blocks.map(linesIn).join('\n'));
  const direction: Direction = found?.isRightToLeft ? 'rtl' : 'ltr';

  const head = `${titleHtml('h1', title, url, styles.title, styles)}
<p class="soft" style="${styles.byline};text-align:${startOf(directionOf(title))}">${bylineOf(post, options)}</p>
${theme?.look.post === 'none' ? '' : pictureOf(post, url, styles, options)}<div lang="${xml(found?.code ?? language())}" dir="${direction}" style="text-align:${startOf(direction)}">
`;
  const rest = `</div>\n${button(styles, url, texts.readRest)}`;
  const end = `</div>\n${linkTo(url, texts.readOnSite, styles.space, styles)}`;
  const shown = fitting(
    blocks.map((block) => () => `${blockHtml(block, styles, direction, new URL(url).origin)}\n`),
    MOST_BYTES - frameBytes(frame) - Buffer.byteLength(head + rest),
  );
  const isCut = isLong || shown.length < blocks.length;
  while (isCut && shown.length > 0 && isHeading(blocks[shown.length - 1] as Element)) shown.pop();
  const body = isCut && shown.length === 0 ? `<p>${xml(beginning)}</p>` : shown.join('');
  return frameMail(frame, head + body + (isCut ? rest : end));
}

/** Returns the mail that collects posts, newest first as given, with placeholders that `personalise` fills. */
export function composeDigest(posts: readonly Post[], options: MailOptions): ComposedMail {
  const { site, theme } = options;
  const styles = stylesOf(theme);
  const count = posts.length;
  const number = texts.numbers[count - 1] ?? String(count);
  const subject = texts.digest({ count, number, site: oneLine(site.name), period: daysOf(posts, site) });
  const preheader = posts.map(({ title }) => oneLine(title)).join(' · ');
  const frame: Frame = { ...options, theme, styles, subject, preheader };
  const head = `<h1 style="${styles.title}">${xml(subject)}</h1>\n`;
  const more = button(styles, absolute(site, HOME), texts.allOnSite);
  const entries = fitting(
    posts.map((post) => () => entryHtml(post, styles, options)),
    MOST_BYTES - frameBytes(frame) - Buffer.byteLength(head + more),
  );
  return frameMail(frame, head + entries.join('') + (entries.length < count ? more : ''));
}

/** Returns the mail that asks whether an address wants the newsletter. @param link valid for one week */
export function composeConfirmation(options: Pick<MailOptions, 'site' | 'theme'> & { link: string }): ComposedMail {
  const { site, theme, link } = options;
  const styles = stylesOf(theme);
  const { confirm } = texts;
  const name = oneLine(site.name);
  const preheader = confirm.question({ site: name });
  const notes = [confirm.validity, confirm.otherwise].map((note) => small(styles, xml(note)));
  const html = `<p style="${styles.space}">${xml(preheader)}</p>\n${button(styles, link, confirm.action)}${notes.join('')}`;
  return frameMail({ site, theme, styles, subject: confirm.subject({ site: name }), preheader }, html);
}

/** Returns the parts, from the first on, that take at most `bytes` together. */
function fitting(parts: readonly (() => string)[], bytes: number): string[] {
  const kept: string[] = [];
  let left = bytes;
  for (const make of parts) {
    const part = make();
    left -= Buffer.byteLength(part);
    if (left < 0) break;
    kept.push(part);
  }
  return kept;
}

function entryHtml(post: Post, styles: MailStyles, options: MailOptions): string {
  const url = absolute(options.site, addressOfPost(post));
  const words = post.excerpt || excerpt(post.content, EXCERPT);
  return `<hr style="${styles.rule}">
${pictureOf(post, url, styles, options)}${titleHtml('h2', oneLine(post.title) || url, url, styles.entry, styles)}
<p class="soft" style="${styles.byline}">${bylineOf(post, options)}</p>
${words && `<p ${directed(words, styles.words)}>${xml(words)}</p>\n`}${linkTo(url, postText.readMore, styles.words, styles)}`;
}

const titleHtml = (tag: string, title: string, url: string, style: string, { plain }: MailStyles): string =>
  `<${tag} ${directed(title, style)}><a class="plain" href="${xml(url)}" style="${plain}">${xml(title)}</a></${tag}>`;

const linkTo = (url: string, words: string, style: string, { link }: MailStyles): string =>
  `<p style="${style}"><a href="${xml(url)}" style="${link}">${xml(words)}</a></p>\n`;

/** Returns the day and the author of a post as HTML. */
const bylineOf = ({ createdAt, userId }: Post, { site, authors }: MailOptions): string =>
  xml([dayText(new Date(createdAt), site.timeZone), oneLine(authors?.get(userId) ?? '')].filter(Boolean).join(' · '));

/** Returns attributes of an element with text of another direction or script than the mail's. */
function directed(text: string, style: string): string {
  const code = languageOfScript(text);
  const direction = directionOf(text);
  return `${code ? `lang="${code}" ` : ''}dir="${direction}" style="${style};text-align:${startOf(direction)}"`;
}

/** Returns a post's picture, which leads to the post; a picture of unknown size is cropped as in lists. */
function pictureOf(post: Post, url: string, styles: MailStyles, { site }: MailOptions): string {
  if (!post.featuredImage) return '';
  const size = sizeInId(post.featuredImage);
  const preview: Preview = { width: 960, output: 'jpg', ...(!size && { height: cutHeight(960) }) };
  const src = absolute(site, previewUrl(site, post.featuredImage, preview));
  const width = Math.min(TEXT_WIDTH, size?.width ?? TEXT_WIDTH);
  const height = size ? Math.round((size.height * width) / size.width) : cutHeight(width);
  return `<p style="${styles.space}"><a class="plain" href="${xml(url)}" style="${styles.link}"><img src="${xml(src)}" width="${width}" height="${height}" alt="${xml(post.featuredImageAlt ?? '')}" style="${styles.picture}"></a></p>\n`;
}

/** Returns the days of the first and the last post, such as “October 6 – 12, 2026”. */
function daysOf(posts: readonly Post[], { timeZone = 'UTC' }: Site): string {
  const times = posts.map(({ createdAt }) => Date.parse(createdAt));
  const writer = new Intl.DateTimeFormat(language(), { dateStyle: 'long', timeZone });
  return writer.formatRange(Math.min(...times), Math.max(...times)).replace(/\s+/g, ' ');
}
