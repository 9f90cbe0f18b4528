import type { Element, ElementContent } from 'hast';
import { elementsIn } from '#blog/content/tree.ts';

/** Elements that embed another page or file. Their fallback content is not read. */
export const EMBEDS: readonly string[] = ['iframe', 'video', 'audio', 'embed', 'object'];

const PLAYERS: readonly (readonly [RegExp, string, string])[] = [
  [
    /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/([\w-]+).*$/,
    'https://www.youtube.com/watch?v=$1',
    'Video (YouTube)',
  ],
  [/^https?:\/\/player\.vimeo\.com\/video\/(\d+).*$/, 'https://vimeo.com/$1', 'Video (Vimeo)'],
  [/^https?:\/\/codepen\.io\/([\w-]+)\/embed\/(?:preview\/)?([\w-]+).*$/, 'https://codepen.io/$1/pen/$2', 'CodePen'],
  [/^https?:\/\/codesandbox\.io\/embed\/([\w-]+).*$/, 'https://codesandbox.io/s/$1', 'CodeSandbox'],
  [/^https?:\/\/stackblitz\.com\/edit\/([\w-]+).*$/, 'https://stackblitz.com/edit/$1', 'StackBlitz'],
  [/^https?:\/\/open\.spotify\.com\/embed\/([\w/-]+).*$/, 'https://open.spotify.com/$1', 'Audio (Spotify)'],
];

/** Returns the URL and a title of the embedded page or file; undefined without a URL. */
export function embedOf(element: Element) {
  const source = sourceOf(element);
  if (!source) return undefined;
  const whole = source.replace(/^\/\//, 'https://');
  const player = PLAYERS.find(([pattern]) => pattern.test(whole));
  const href = player ? whole.replace(player[0], player[1]) : whole;
  const { title, ariaLabel } = element.properties;
  const given = [title, ariaLabel].find((each) => typeof each === 'string' && each.trim() !== '');
  return { href, title: given ? String(given).trim() : (player?.[2] ?? whatItIs(element.tagName, href)) };
}

function sourceOf(element: Element): string | undefined {
  const elements: readonly ElementContent[] = [element, ...elementsIn(element).map(([each]) => each)];
  const named = elements.flatMap((each) =>
    each.type === 'element' ? [each.properties.src, each.properties.data, filmOf(each)] : [],
  );
  return named.find((each): each is string => typeof each === 'string' && each.trim() !== '')?.trim();
}

const filmOf = ({ tagName, properties: { name, value } }: Element) =>
  tagName === 'param' && (name === 'movie' || name === 'src') ? value : undefined;

function whatItIs(tagName: string, href: string): string {
  const path = href.replace(/[?#].*$/, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (tagName === 'video' || tagName === 'audio') return `${tagName === 'video' ? 'Video' : 'Audio'}: ${name}`;
  return /^https?:\/\/(?:www\.)?([^/]+)/.exec(href)?.[1] ?? href;
}
