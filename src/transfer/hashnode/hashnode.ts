/** Reads Hashnode's backup: a folder or zip file with `<cuid>.md` for each article. */

import { isoDate } from '../dates.ts';
import type { Format } from '../format.ts';
import {
  type Article,
  articleNames,
  articlesIn,
  type Dialect,
  fieldsAt,
  openArticles,
  tagsField,
  textField,
} from '../markdown/dialect.ts';
import type { Fields } from '../markdown/fields.ts';
import { outsideCode } from '../markdown/shortcodes.ts';
import { pictureAt } from '../old-site.ts';

const CUID = /(?:^|\/)c[a-z0-9]{24}\.md$/;
const DRAFT = /(?:^|\/)draft-[a-f0-9]{24}\.md$/;
const MOST_LOOKED_AT = 1000;

const dialect: Dialect = { read, toMarkdown, sites: [], fileOf: originalAt };

export const hashnode: Format = {
  async matches(archive) {
    const names = articleNames(archive);
    // Checks files named after an id first. Checks several files, because older articles have no front matter.
    for (const name of [...names.filter((each) => CUID.test(each)), ...names].slice(0, MOST_LOOKED_AT)) {
      const fields = await fieldsAt(archive, name);
      if (fields.cuid && fields.datePublished) return true;
    }
    return false;
  },
  async open(archive, options) {
    const found = await articlesIn(archive, dialect);
    const isNamedById = found.sources.every(({ path }) => CUID.test(path) || DRAFT.test(path));
    return openArticles(archive, found, dialect, options, isNamedById ? '' : undefined);
  },
};

function read(path: string, fields: Fields, body: string): Article | string {
  const isDraft = DRAFT.test(path);
  if (!isDraft && !fields.cuid && !fields.datePublished && !CUID.test(path)) return 'it is not a Hashnode article';
  const heading = /^\s*#\s+(.+)/.exec(body)?.[1]?.replace(/[*_`]/g, '').trim();
  const [slug, title] = [textField(fields, 'slug'), textField(fields, 'title') || heading || ''];
  const date = isoDate(fields.datePublished);
  return {
    title,
    slug,
    date,
    addresses: slug ? [`/${slug}`] : [],
    image: textField(fields, 'cover') || undefined,
    extras: {
      tags: tagsField(fields.tags),
      excerpt: textField(fields, 'seoDescription'),
      hidden: isDraft ? ['it was a draft'] : [],
      more: date || isDraft ? [] : ['the backup does not say when it was published'],
    },
  };
}

/** Matches a code block that opens inside a list and closes further left. Markdown would end it where the list ends. */
const OUTDENTED = /^( {2,}|\t)(`{3,}[^`\n]*\n)((?:(?![ \t]*```).*\n)*)([ \t]*)(`{3,})[ \t]*$/gm;

const indentFences = (body: string): string =>
  body.replace(OUTDENTED, (block, indent: string, opening: string, code: string, left: string, closing: string) => {
    if (left.includes('\t') || left.length >= (indent === '\t' ? 4 : indent.length)) return block;
    const stands = code.split('\n').every((line) => line.trim() === '' || line.startsWith(indent));
    return `${indent}${opening}${stands ? code : code.replace(/^(?=.)/gm, indent)}${indent}${closing}`;
  });

/** Converts embeds (`%[url]`) to links. Removes the site's widgets (`%%[name]`) and the `align` in picture targets. */
function toMarkdown(body: string, found: { readonly losses: string[] }): string {
  return outsideCode(indentFences(body), (text) =>
    text
      .replace(/^[ \t]*%%\[([^\]\n]+)\][ \t]*$/gm, (_, name: string) => {
        found.losses.push(`widget “${name}”: its content is not in the export`);
        return '';
      })
      .replace(/^([ \t]*)%\[\s*(https?:\/\/[^\]\s]+)\s*\][ \t]*$/gm, '\n$1<$2>\n')
      .replace(/%\[\s*(https?:\/\/[^\]\s]+)\s*\]/g, '\n\n<$1>\n\n')
      .replace(/(!\[[^\]\n]*\]\([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\s+align="[^"]*"\s*\)/g, '$1)'),
  );
}

function originalAt(url: URL) {
  if (!/^cdn\.hashnode\.com$/.test(url.hostname)) return undefined;
  return pictureAt(url.pathname.split('/').slice(-2).join('-'), url.origin + url.pathname, url, 'png');
}
