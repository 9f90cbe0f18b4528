/** Turns blank lines and line breaks into tags, because WordPress's classic editor stores paragraphs without tags. */

const BLOCK =
  'address article aside blockquote center details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr iframe main nav object ol p pre script section style svg table ul video audio'.split(
    ' ',
  );
const OPEN = new Set('article aside blockquote center details div footer header main nav section'.split(' '));
const TAG = new RegExp(`<!--[\\s\\S]*?-->|<(/?)(${BLOCK.join('|')})\\b[^>]*>`, 'gi');

export function autop(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (!tag) break;
    const [whole, slash, name = ''] = tag;
    parts.push(paragraphs(text.slice(at, tag.index)));
    at = tag.index + whole.length;
    if (name !== '' && slash === '' && !OPEN.has(name.toLowerCase()) && !/^hr$/i.test(name)) at = endOf(text, name, at);
    parts.push(text.slice(tag.index, at));
  }
  parts.push(paragraphs(text.slice(at)));
  return parts.join('');
}

function endOf(text: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}\\b[^>]*>`, 'gi');
  tags.lastIndex = from;
  let depth = 1;
  for (let tag = tags.exec(text); tag; tag = tags.exec(text)) {
    depth += tag[1] ? -1 : 1;
    if (depth === 0) return tags.lastIndex;
  }
  return from;
}

const paragraphs = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => `<p>${part.replace(/(?:<br\s*\/?>)?[ \t]*\n/gi, '<br>\n')}</p>\n`)
    .join('');
