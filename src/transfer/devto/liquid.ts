import { outsideCode } from '../markdown/shortcodes.ts';

const ADDRESSES: Readonly<Record<string, (id: string, given: readonly string[]) => string>> = {
  youtube: (id) => `https://www.youtube.com/watch?v=${id}`,
  vimeo: (id) => `https://vimeo.com/${id}`,
  twitter: (id) => `https://x.com/i/status/${id}`,
  tweet: (id) => `https://x.com/i/status/${id}`,
  x: (id) => `https://x.com/i/status/${id}`,
  github: (id) => `https://github.com/${id}`,
  gist: (id) => `https://gist.github.com/${id}`,
  codepen: (id) => `https://codepen.io/${id}`,
  codesandbox: (id) => `https://codesandbox.io/s/${id}`,
  stackblitz: (id) => `https://stackblitz.com/edit/${id}`,
  jsfiddle: (id) => `https://jsfiddle.net/${id}`,
  replit: (id) => `https://replit.com/${id}`,
  glitch: (id) => `https://glitch.com/edit/#!/${id}`,
  instagram: (id) => `https://www.instagram.com/p/${id}/`,
  speakerdeck: (id) => `https://speakerdeck.com/player/${id}`,
  slideshare: (id) => `https://www.slideshare.net/slideshow/embed_code/key/${id}`,
  asciinema: (id) => `https://asciinema.org/a/${id}`,
  twitch: (id) => `https://www.twitch.tv/${id}`,
  spotify: (id) => `https://open.spotify.com/${id.replace(/^spotify:/, '').replaceAll(':', '/')}`,
  stackoverflow: (id) => `https://stackoverflow.com/questions/${id}`,
  stackexchange: (id, [, site = 'stackexchange']) => `https://${site}.stackexchange.com/questions/${id}`,
  user: (id) => `https://dev.to/${id}`,
  organization: (id) => `https://dev.to/${id}`,
  org: (id) => `https://dev.to/${id}`,
  podcast: (id) => id,
  tag: (id) => `https://dev.to/t/${id}`,
  link: (id) => `https://dev.to/${id}`,
  post: (id) => `https://dev.to/${id}`,
  comment: (id) => `https://dev.to/comment/${id}`,
  devcomment: (id) => `https://dev.to/comment/${id}`,
};

const TAG = /\{%-?\s*([a-z_]+)((?:\s+(?:"[^"]*"|[^%}]|%(?!\}))*)?)\s*-?%\}/gi;
const BLOCKS = /\{%-?\s*(?:end)?(?:card|spoiler|collapsible|details|detail|cta|raw)\b[^%]*-?%\}/i;

export function plainLiquid(body: string, { notes }: { readonly notes: string[] }): string {
  const fenced = body
    .replace(
      /\{%-?\s*runkit\s*-?%\}\n?([\s\S]*?)\{%-?\s*endrunkit\s*-?%\}/g,
      (_, code: string) => `\n\`\`\`js\n${code.trimEnd()}\n\`\`\`\n`,
    )
    .replace(
      /\{%-?\s*katex[^%]*-?%\}\n?([\s\S]*?)\{%-?\s*endkatex\s*-?%\}/g,
      (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`,
    );
  return outsideCode(fenced, (text) =>
    text
      .replace(/\{%-?\s*(?:details|detail|collapsible|spoiler)\s*([^%]*?)\s*-?%\}/gi, (_, title: string) =>
        title ? `\n\n**${title}**\n\n` : '\n\n',
      )
      .replace(
        /\{%-?\s*cta\s+(\S+)\s*-?%\}([\s\S]*?)\{%-?\s*endcta\s*-?%\}/gi,
        (_, address: string, words: string) => `\n\n[${words.trim()}](${address})\n\n`,
      )
      .replace(new RegExp(BLOCKS, 'gi'), '\n\n')
      .replace(TAG, (whole, name: string, rest: string) => replaced(whole, name.toLowerCase(), rest.trim(), notes)),
  );
}

function replaced(whole: string, name: string, rest: string, notes: string[]): string {
  const given = rest.split(/\s+/).map((each) => each.replace(/^["']|["']$/g, ''));
  const [first = ''] = given;
  if (/^https?:\/\//.test(first)) return `\n\n<${first}>\n\n`;
  const address = first && ADDRESSES[name]?.(first.replace(/^[@/]/, ''), given);
  if (address && /^https?:\/\/\S+$/.test(address)) return `\n\n<${address}>\n\n`;
  notes.push(`unknown tag, kept as code: ${whole}`);
  return `\`${whole}\``;
}
