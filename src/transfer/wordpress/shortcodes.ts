/** Expands `[name key="value"]…[/name]` from WordPress and its plugins into HTML, outside code. */

export interface ShortcodeContext {
  readonly attachment: (id: string) => { readonly url: string; readonly alt: string } | undefined;
  readonly attached: () => readonly string[];
  readonly notes: string[];
  readonly losses: string[];
}

const ATTRIBUTES = `(?:\\s+(?:[\\w-]+\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s\\]"']+)|"[^"]*"|[^\\s\\]"'=/]+))*`;
const CALL = new RegExp(
  `\\[(\\[?)([a-zA-Z][\\w-]*)(${ATTRIBUTES})\\s*(/?)\\](?:((?:(?!\\[\\2[\\s\\]])[\\s\\S])*?)\\[/\\2\\])?(\\]?)`,
  'g',
);
const CODE = /(<pre\b[\s\S]*?<\/pre>|<code\b[\s\S]*?<\/code>)/i;

export function expandShortcodes(html: string, context: ShortcodeContext): string {
  const parts = html.split(CODE).map((part) => {
    if (CODE.test(part)) return part;
    const named = part
      .replace(FORMULA, (_, tex: string) => formula(tex))
      .replace(PLAYER, (_, url: string) => link(url));
    return expand(named, context, 0);
  });
  return parts.join('');
}

/** Matches `$latex TEX$` from Jetpack and WordPress.com, with optional size and colours. */
const FORMULA = /\$latex\s+((?:[^$\\]|\\[\s\S])+?)\s*(?:(?:&(?:amp;)?|&#0?38;)(?:bg|fg|s)=[\w-]+)*\$/g;

const PLAYER = /\[(?:youtube|vimeo)\s*=\s*"?(https?:\/\/[^\]\s"]+?)"?(?:&(?:amp;|#0?38;)?[wh]=\d+)*\s*\]/gi;

const formula = (tex: string): string => `<code class="language-math">${tex.trim().replace(/</g, '&lt;')}</code>`;

function expand(html: string, context: ShortcodeContext, level: number): string {
  if (level > 10) return html;
  return html.replace(
    CALL,
    (whole, doubled: string, name: string, given: string, _slash, inner: string | undefined, end = '') => {
      if (doubled && end) return whole.slice(1, -1);
      if (doubled || end)
        return `${doubled}${expand(whole.slice(doubled.length, end ? -1 : undefined), context, level + 1)}${end}`;
      const attributes = attributesOf(given);
      const language = inner === undefined ? undefined : languageOf(name);
      if (language !== undefined) return code({ lang: language, ...attributes }, inner ?? '');
      const known = NAMED[name.toLowerCase()];
      if (known) {
        const text = inner === undefined || RAW.test(name) ? (inner ?? '') : expand(inner, context, level + 1);
        return known(attributes, text, context);
      }
      if (inner !== undefined) {
        context.notes.push(`unknown shortcode [${name}]: its text was kept`);
        return expand(inner, context, level + 1);
      }
      // Brackets without attributes, such as `[sic]`, are text.
      if (!/=/.test(given)) return whole;
      context.notes.push(`unknown shortcode [${name}], kept as code`);
      return `<code>${escaped(whole)}</code>`;
    },
  );
}

type Attributes = Readonly<Record<string, string>>;
const RAW = /^(?:code|sourcecode|embed|latex)$/i;

/** SyntaxHighlighter names shortcodes after languages; CodeColorer writes `[cc_php]` or `[cce_php]`. */
const LANGUAGES =
  /^(?:php|js|javascript|typescript|css|html|xml|sql|python|ruby|java|csharp|cpp|bash|shell|perl|diff|scala|groovy|powershell|yaml|json|go|rust|swift|kotlin)$/;

/** Returns the language in a code shortcode's name, '' if it contains none; undefined for any other shortcode. */
function languageOf(name: string): string | undefined {
  const [, named] = /^cc[a-zA-Z]{0,4}(?:_([\w+#-]+))?$/.exec(name) ?? [undefined, undefined];
  if (/^(?:cc[a-zA-Z]{0,4}(?:_[\w+#-]+)?|crayon|highlight|source)$/.test(name)) return named ?? '';
  return LANGUAGES.test(name) ? name : undefined;
}

const code = ({ lang, language }: Attributes, inner: string): string => {
  const named = (lang ?? language ?? '').replace(/[^\w+#.-]/g, '');
  return `<pre><code${named && ` class="language-${named}"`}>${inner.replace(/^\r?\n/, '').replace(/</g, '&lt;')}</code></pre>`;
};

const media = (given: Attributes, inner: string, { losses }: ShortcodeContext): string => {
  const source =
    Object.values(given).find((value) => /^https?:\/\//.test(value)) ?? /https?:\/\/[^\s"<]+/.exec(inner)?.[0];
  if (!source) {
    losses.push('a video or audio player without an address');
    return '';
  }
  return link(source);
};

function player(site: string): typeof media {
  return (given, inner, context) => {
    const id = [given.id, given['0'], inner.trim()].find((each) => each && /^[\w-]+$/.test(each));
    return id ? link(site + id) : media(given, inner, context);
  };
}

/** Captures a picture, with its link, and the caption after it. */
const CAPTIONED = /^\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*)$/;

const NAMED: Readonly<Record<string, (given: Attributes, inner: string, context: ShortcodeContext) => string>> = {
  caption: (given, inner) => {
    const [, image = '', words = ''] = CAPTIONED.exec(inner) ?? [];
    const caption = words.trim() || escaped(given.caption ?? '');
    return image ? `\n\n<figure>${image}${caption && `<figcaption>${caption}</figcaption>`}</figure>\n\n` : inner;
  },
  gallery: (given, _, context) => {
    const ids = (given.ids ?? given.include)?.split(',') ?? context.attached();
    if (ids.length === 0) context.losses.push('a gallery: its pictures are not in the export');
    return ids
      .map((given) => {
        const id = given.trim();
        const found = context.attachment(id);
        if (found) return `\n\n<figure><img src="${escaped(found.url)}" alt="${escaped(found.alt)}"></figure>\n\n`;
        context.losses.push(`picture ${id || 'without a number'} of a gallery: it is not in the export`);
        return '';
      })
      .join('');
  },
  embed: (_, inner) => link(inner.trim()),
  audio: media,
  video: media,
  youtube: player('https://www.youtube.com/watch?v='),
  vimeo: player('https://vimeo.com/'),
  playlist: (given, _, context) =>
    (given.ids ?? '')
      .split(',')
      .map((id) => {
        const found = context.attachment(id.trim());
        if (!found) context.losses.push(`track ${id} of a playlist: it is not in the export`);
        return found ? link(found.url) : '';
      })
      .join(''),
  code,
  sourcecode: code,
  latex: (_, inner) => formula(inner),
};
Object.assign(NAMED, { wp_caption: NAMED.caption });

const link = (address: string): string => `\n\n<p><a href="${escaped(address)}">${escaped(address)}</a></p>\n\n`;
const escaped = (text: string): string =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;');

function attributesOf(text: string): Attributes {
  const found: Record<string, string> = {};
  let place = 0;
  for (const [, key, double, single, bare] of text.matchAll(
    /(?:([\w-]+)\s*=\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"'=/]\S*))/g,
  ))
    found[key ?? String(place++)] = double ?? single ?? bare ?? '';
  return found;
}
