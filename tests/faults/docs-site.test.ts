/** Builds the documentation site in a temporary folder, follows its links and searches it as a reader would. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@common-ink/http/free-port.ts';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { beforeAll, expect, test } from 'vitest';
import { PARTS_FILE, partFile, searchPart } from '#blog/search/exported-index.ts';
import { termsOf } from '#blog/search/query.ts';
import { CHAPTERS } from '../../scripts/docs/contents.ts';
import { readPages } from '../../scripts/docs/pages.ts';
import { startStaticHost } from '../e2e/static-host.ts';
import { sharedFolder } from '../support/folder.ts';
import { close } from '../support/gateway.ts';
import { command, ROOT } from './tools.ts';

type Element = DefaultTreeAdapterTypes.Element;

const folder = sharedFolder();
let url: string;
/** The elements of each HTML page, by the page's URL. */
let pages: ReadonlyMap<string, readonly Element[]>;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const { code, said } = await command('docs', [folder, '--url', url, '--edit', 'https://example.com/edit'], {});
  expect(code, said).toBe(0);
  pages = htmlPages();
  const host = await startStaticHost(folder, port);
  return () => close(host);
});

const elementsIn = (node: DefaultTreeAdapterTypes.Node): Element[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) => ('tagName' in child ? [child, ...elementsIn(child)] : []))
    : [];

const attribute = (element: Element, name: string): string =>
  element.attrs.find((attr) => attr.name === name)?.value ?? '';

/** Returns the URLs that an element links to or loads, exactly as they appear in the HTML. */
const addressesOf = (element: Element): string[] => [
  ...(element.tagName === 'meta' && /^(?:og|twitter):(?:url|image)$/.test(attribute(element, 'property'))
    ? [attribute(element, 'content')]
    : []),
  ...['href', 'src', 'action'].map((name) => attribute(element, name)),
  ...attribute(element, 'srcset')
    .split(',')
    .map((candidate) => candidate.trim().split(' ')[0] ?? ''),
];

/** Returns true if the element states its page's own URL, which does not exist for the 404 page. */
const isOwnAddress = (element: Element): boolean =>
  attribute(element, 'rel') === 'canonical' || attribute(element, 'property') === 'og:url';

function htmlPages(): ReadonlyMap<string, readonly Element[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const address = (name: string) => new URL(name.replace(/(?:^|\/)index\.html$/, ''), `${url}/`).href;
  return new Map(names.map((name) => [address(name), elementsIn(parse(readFileSync(join(folder, name), 'utf8')))]));
}

test('every page that the contents list is there, and the home page leads to it', () => {
  const listed = readPages(ROOT, CHAPTERS).map(({ slug }) => `${url}/${slug}`);
  expect([...pages.keys()]).toEqual(expect.arrayContaining([...listed, `${url}/contents`, `${url}/404.html`]));
  const linked = (pages.get(`${url}/`) ?? []).flatMap(addressesOf).map((address) => new URL(address, url).href);
  expect(linked).toEqual(expect.arrayContaining(listed));
});

test('every link within the site leads to a page or file, and every fragment to a part of the page', async () => {
  const links = new Map<string, string>();
  for (const [page, elements] of pages)
    for (const address of elements
      .filter((element) => !isOwnAddress(element) || !page.endsWith('/404.html'))
      .flatMap(addressesOf)) {
      const target = URL.parse(address, page);
      if (address !== '' && (!target || target.origin === url)) links.set(target?.href ?? address, page);
    }
  expect(links.size).toBeGreaterThan(pages.size);
  const faults: string[] = [];
  for (const [link, page] of links) {
    const response = await fetch(link);
    await response.body?.cancel();
    const fragment = decodeURIComponent(new URL(link).hash.slice(1));
    const parts = pages.get(response.url.replace(/#.*/, ''));
    if (!response.ok) faults.push(`${page} links to ${link}: ${response.status}`);
    else if (fragment && !parts?.some((part) => attribute(part, 'id') === fragment))
      faults.push(`${page} links to ${link}, which has no such part`);
  }
  expect(faults).toEqual([]);
});

/** Returns the paths of the pages that the site's search finds, in no particular order. */
function found(query: string): (string | undefined)[] {
  const file = (name: string) => readFileSync(join(folder, name), 'utf8');
  const { parts } = JSON.parse(file(PARTS_FILE)) as { parts: number };
  const { words, tags } = termsOf(query);
  return Array.from({ length: parts }, (_, n) => searchPart(file(partFile(n)), words, tags))
    .flat()
    .map(({ address }) => address);
}

test.each([
  ['commands', /^### (npm .+)$/gm],
  ['settings', /`([A-Z][A-Z\d_]+|_APP_[A-Z_]+)(?:=[^`]*)?`(?=<br>| \|)/g],
])('the search finds everything that the page of %s lists', (name, pattern) => {
  const listed = Array.from(readFileSync(join(ROOT, 'docs', `${name}.md`), 'utf8').matchAll(pattern), ([, it]) => it);
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter((it = '') => !found(it).includes(`/${name}`))).toEqual([]);
  expect(found('xyzzyplugh')).toEqual([]);
});
