/** Structured data of a post or page for search engines: schema.org as JSON-LD. */

import { hasByline, isPage, type Post } from '../post.ts';
import { authorPath, yearPath } from '../routes/paths.ts';
import { addressOfPost } from '../routes/post-address.ts';
import type { Site } from '../site.ts';
import { tagsOfPost } from '../tags/tags.ts';
import { absolute, sharePicture } from './addresses.ts';

interface Described {
  readonly description: string;
  readonly author: string | undefined;
  readonly words: number;
  readonly language?: string | undefined;
}

/** Returns the BlogPosting or WebPage and its BreadcrumbList, as JSON that is safe in a script element. */
export function postData(site: Site, post: Post, { description, author, words, language }: Described): string {
  const path = addressOfPost(post);
  const url = absolute(site, path);
  const tags = isPage(post) ? [] : tagsOfPost(post);
  const year = Number(post.createdAt.slice(0, 4));
  const crumbs = [
    [site.name, '/'],
    ...(isPage(post) ? [] : [[String(year), yearPath(year)] as const]),
    [post.title, path],
  ] as const;
  return inScript({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': isPage(post) ? 'WebPage' : 'BlogPosting',
        url,
        headline: post.title,
        description,
        image: sharePicture(site, post),
        ...(hasByline(post) && {
          datePublished: post.createdAt,
          dateModified: post.updatedAt,
          author: { '@type': 'Person', name: author || site.name, url: absolute(site, authorPath(post.userId)) },
        }),
        ...(!isPage(post) && { wordCount: words }),
        ...(tags.length > 0 && { keywords: tags.map(({ name }) => name) }),
        ...(language && { inLanguage: language }),
        publisher: { '@type': 'Organization', name: site.name, url: absolute(site, '/') },
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: crumbs.map(([name, path], i) => ({
          '@type': 'ListItem',
          position: i + 1,
          name,
          item: absolute(site, path),
        })),
      },
    ],
  });
}

/** Escapes `<`, so that the data cannot end the script element or start a comment. */
const inScript = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c');
