import { jsonOf } from '../read-json.ts';
import { linkHtml, pictureHtml } from '../read-xml.ts';
import { autop } from './autop.ts';
import { expandShortcodes, type ShortcodeContext } from './shortcodes.ts';

export interface ContentContext extends ShortcodeContext {
  readonly block: (id: string) => string | undefined;
}

/** Captures the closing slash, name, attributes and self-closing slash of `<!-- wp:name {json} /-->`. */
const BLOCK = /<!--\s*(\/?)wp:([a-z][\w/-]*)\s*(\{[\s\S]*?\})?\s*(\/?)-->/g;
/** Blocks without content to import. Footnotes come from a separate field of the post. */
const EMPTY = /^(?:core\/)?(?:spacer|more|nextpage|separator|footnotes)$/;

const BACKGROUND = /"backgroundImage"\s*:\s*\{[^{}]*\}/;

/** Returns the URL in a block's attributes, where WordPress writes `&` as `\u0026`. */
function urlIn(json: string): string {
  const text = /"url"\s*:\s*("https?:[^"\\]*(?:\\.[^"\\]*)*")/.exec(json)?.[1];
  return String((text && jsonOf(text)) ?? '');
}

export function contentHtml(content: string, context: ContentContext, level = 0): string {
  const isBlocks = /<!--\s*wp:/.test(content);
  const html = content
    .replace(BLOCK, (_, end: string, name: string, json = '', alone: string) => {
      if (end) return '';
      const background = urlIn(BACKGROUND.exec(json)?.[0] ?? '');
      if (!alone) return background ? pictureHtml(background) : '';
      const ref = /"ref"\s*:\s*(\d+)/.exec(json)?.[1];
      if (/^(?:core\/)?block$/.test(name) && ref) {
        const found = level < 5 ? context.block(ref) : undefined;
        if (found !== undefined) return contentHtml(found, context, level + 1);
      }
      const url = urlIn(json);
      if (url) return linkHtml(url);
      if (!EMPTY.test(name))
        context.losses.push(
          `the block wp:${name}${ref ? ` ${ref}` : ''}: WordPress generates it on each page, so its text is not in the export`,
        );
      return '';
    })
    .replace(/<!--\s*(?:more\b[\s\S]*?|noteaser)-->/g, '')
    .replace(/<!--\s*nextpage\s*-->/g, '\n\n<hr>\n\n');
  const expanded = expandShortcodes(html, context).replace(
    /<div class="wp-block-embed__wrapper">\s*(https?:\/\/[^\s<]+)\s*<\/div>/g,
    '<p><a href="$1">$1</a></p>',
  );
  return isBlocks || level > 0 ? expanded : autop(expanded);
}
