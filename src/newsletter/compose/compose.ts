/** Composes the newsletter's emails: posts, digests and confirmations. Sends nothing and uses no network. */
import { textLanguageOf } from '#blog/content/code/language.ts';
import { chosenLanguage } from '#blog/content/code/languages.ts';
import { languageOfScript } from '#blog/content/detect-script.ts';
import { excerpt } from '#blog/content/text.ts';
import { linesIn } from '#blog/content/tree.ts';
import { dayText } from '#blog/dates.ts';
import { cutHeight, previewUrl } from '#blog/images.ts';
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
import { blockHtml, blocksOf, directionOf, LEFT_TO_RIGHT, PICTURE_WIDTH, RIGHT_TO_LEFT } from './html-part.ts';
import { button, MOST_BYTES, oneLine, small, writeMail } from './mail.ts';
import { type MailStyles, type MailTheme, stylesOf, TEXT_WIDTH } from './styles.ts';

export { MOST_BYTES, personalise } from './mail.ts';

export interface MailOptions {
  readonly site: Site;
  readonly theme?: MailTheme;
  /** Postal address or other contact details, required by law in most countries. May have several lines. */
  readonly contact: string;
  /** Authors' names by user id. */
  readonly authors?: ReadonlyMap<string, string>;
}

/**
 * Maximum number of characters of a post's content that are read for an email. Reading more would delay the server's
 * other work.
 */
const LONGEST_READ = 2 * MOST_BYTES;
/** Maximum lengths of an excerpt: in a digest, and in the preheader, which email clients show after the subject. */
const EXCERPT = 300;
const PREHEADER = 160;

export const composeIssue = (posts: readonly Post[], options: MailOptions): ComposedMail =>
  posts.length === 1 ? composePost(posts[0] as Post, options) : composeDigest(posts, options);

/** Returns the email for one post. A post that is too long for Gmail is cut after a block and links to the rest. */
export function composePost(post: Post, options: MailOptions): ComposedMail {
  const { site, theme } = options;
  const url = absolute(site, addressOfPost(post));
  const styles = stylesOf(theme);
  const title = oneLine(post.title) || oneLine(site.name);
  const preheader = post.excerpt || excerpt(post.content, PREHEADER);
  const isLong = post.content.length > LONGEST_READ;
  const blocks = blocksOf(post.content.slice(0, LONGEST_READ), url);
  if (isLong) blocks.pop();
  const found = chosenLanguage(post.language) ?? textLanguageOf(blocks.map(linesIn).join('\n'));
  const direction = found?.isRightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT;
  const head = `${titleHtml('h1', title, url, styles.title, styles)}
<p class="soft" style="${styles.byline};text-align:${directionOf(title).start}">${bylineOf(post, options)}</p>
${theme?.look.post === 'none' ? '' : pictureOf(post, url, styles, site)}<div lang="${xml(found?.code ?? language())}" dir="${direction.dir}" style="text-align:${direction.start}">
`;
  return writeMail({
    ...{ ...options, styles, subject: title, preheader, head, isLong },
    parts: blocks.map((block) => () => `${blockHtml(block, styles, direction, new URL(url).origin)}\n`),
    end: `</div>\n${linkTo(url, texts.readOnSite, styles.space, styles)}`,
    rest: `</div>\n${button(styles, url, texts.readRest)}`,
    summary: `<p>${xml(preheader)}</p>`,
  });
}

/** Returns the email for several posts, with an excerpt of each, in the given order. */
export function composeDigest(posts: readonly Post[], options: MailOptions): ComposedMail {
  const { site, theme } = options;
  const styles = stylesOf(theme);
  const count = posts.length;
  const number = texts.numbers[count - 1] ?? String(count);
  const subject = texts.digest({ count, number, site: oneLine(site.name), period: daysOf(posts, site) });
  return writeMail({
    ...{ ...options, styles, subject },
    preheader: posts.map(({ title }) => oneLine(title)).join(' · '),
    head: `<h1 style="${styles.title}">${xml(subject)}</h1>\n`,
    parts: posts.map((post) => () => entryHtml(post, styles, options)),
    rest: button(styles, absolute(site, HOME), texts.allOnSite),
  });
}

/** Composes the email that asks a reader to confirm a subscription. `link` confirms it and is valid for one week. */
export function composeConfirmation({ site, theme, link }: Pick<MailOptions, 'site' | 'theme'> & { link: string }) {
  const styles = stylesOf(theme);
  const { confirm } = texts;
  const name = oneLine(site.name);
  const preheader = confirm.question({ site: name });
  const notes = [confirm.validity, confirm.otherwise].map((note) => small(styles, xml(note)));
  const head = `<p style="${styles.space}">${xml(preheader)}</p>\n${button(styles, link, confirm.action)}${notes.join('')}`;
  return writeMail({ site, styles, subject: confirm.subject({ site: name }), preheader, head });
}

function entryHtml(post: Post, styles: MailStyles, options: MailOptions): string {
  const url = absolute(options.site, addressOfPost(post));
  const words = post.excerpt || excerpt(post.content, EXCERPT);
  return `<hr style="${styles.rule}">
${pictureOf(post, url, styles, options.site)}${titleHtml('h2', oneLine(post.title) || url, url, styles.entry, styles)}
<p class="soft" style="${styles.byline};text-align:${directionOf(post.title).start}">${bylineOf(post, options)}</p>
${words && `<p ${directed(words, styles.words)}>${xml(words)}</p>\n`}${linkTo(url, postText.readMore, styles.words, styles)}`;
}

const titleHtml = (tag: string, title: string, url: string, style: string, { plain }: MailStyles): string =>
  `<${tag} ${directed(title, style)}><a class="plain" href="${xml(url)}" style="${plain}">${xml(title)}</a></${tag}>`;

const linkTo = (url: string, words: string, style: string, { link }: MailStyles): string =>
  `<p style="${style}"><a href="${xml(url)}" style="${link}">${xml(words)}</a></p>\n`;

const bylineOf = ({ createdAt, userId }: Post, { site, authors }: MailOptions): string =>
  xml([dayText(new Date(createdAt), site.timeZone), oneLine(authors?.get(userId) ?? '')].filter(Boolean).join(' · '));

function directed(text: string, style: string): string {
  const code = languageOfScript(text);
  const { dir, start } = directionOf(text);
  return `${code ? `lang="${code}" ` : ''}dir="${dir}" style="${style};text-align:${start}"`;
}

/** Returns a post's picture as a link to the post. A picture of unknown size is cropped as in lists of posts. */
function pictureOf(post: Post, url: string, styles: MailStyles, site: Site): string {
  if (!post.featuredImage) return '';
  const known = sizeInId(post.featuredImage);
  const { width, height } = known ?? { width: PICTURE_WIDTH, height: cutHeight(PICTURE_WIDTH) };
  const preview = { width: PICTURE_WIDTH, output: 'jpg', ...(!known && { height }) } as const;
  const src = absolute(site, previewUrl(site, post.featuredImage, preview));
  const shown = Math.min(TEXT_WIDTH, width);
  const picture = `<img src="${xml(src)}" width="${shown}" height="${Math.round((height * shown) / width)}" alt="${xml(post.featuredImageAlt ?? '')}" style="${styles.picture}">`;
  return `<p style="${styles.space}"><a class="plain" href="${xml(url)}" style="${styles.link}">${picture}</a></p>\n`;
}

/** Returns the period from the earliest to the latest post, such as “October 6 – 12, 2026”. */
function daysOf(posts: readonly Post[], { timeZone = 'UTC' }: Site): string {
  const times = posts.map(({ createdAt }) => Date.parse(createdAt));
  const writer = new Intl.DateTimeFormat(language(), { dateStyle: 'long', timeZone });
  return writer.formatRange(Math.min(...times), Math.max(...times)).replace(/\s+/g, ' ');
}
