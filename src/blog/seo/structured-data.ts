/** A post's structured data for search engines: schema.org as JSON-LD. */

import type { Post } from '../post.ts';
import { authorPath, postPath, yearPath } from '../routes/paths.ts';
import type { Site } from '../site.ts';
import { tagsOfPost } from '../tags/tags.ts';
import { absolute, sharePicture } from './addresses.ts';

interface Described {
  readonly description: string;
  readonly author: string | undefined;
  readonly words: number;
  readonly language?: string | undefined;
}

/** Returns BlogPosting and BreadcrumbList as JSON that is safe in a script element. */
export function postData(site: Site, post: Post, { description, author, words, language }: Described): string {
  const url = absolute(site, postPath(post.id));
  const tags = tagsOfPost(post);
  const year = Number(post.createdAt.slice(0, 4));
  const crumbs = [
    [site.name, '/'],
    [String(year), yearPath(year)],
    [post.title, postPath(post.id)],
  ] as const;
  return inScript({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BlogPosting',
        url,
        headline: post.title,
        description,
        image: sharePicture(site, post),
        datePublished: post.createdAt,
        dateModified: post.updatedAt,
        wordCount: words,
        ...(tags.length > 0 && { keywords: tags.map(({ name }) => name) }),
        ...(language && { inLanguage: language }),
        author: { '@type': 'Person', name: author || site.name, url: absolute(site, authorPath(post.userId)) },
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
