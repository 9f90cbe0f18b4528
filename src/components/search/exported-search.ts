/** Searches the index of a static export. Shows titles at once, and each snippet when its post's page has loaded. */
import { type ExportedResult, inOrder, PARTS_FILE, partFile, searchPart } from '#blog/search/exported-index.ts';
import { marked, type Piece, snippet } from '#blog/search/marks.ts';
import { queryOf, RESULTS_PER_PAGE, type SearchTerms, termsOf } from '#blog/search/query.ts';

/** `several` contains a 0 as the placeholder for the number of results. */
type Texts = Readonly<
  Record<'heading' | 'nothing' | 'nothingHelp' | 'searching' | 'failed' | 'failedHelp' | 'one' | 'several', string>
>;

const section = document.querySelector<HTMLElement>('[data-exported-search]');
const query = queryOf(new URLSearchParams(location.search).get('q') ?? '');
if (section && query !== '') {
  const input = document.querySelector<HTMLInputElement>('[name=q]');
  if (input) input.value = query;
  const texts = JSON.parse(section.dataset.texts ?? '{}') as Texts;
  const show = (heading: string, help: string) => {
    const [title, status] = [section.querySelector('h2'), section.querySelector('[role=status]')];
    if (title) title.textContent = heading.split('{query}').join(query);
    if (status) status.textContent = help;
    section.hidden = false;
  };
  show(texts.heading, texts.searching);
  const terms = termsOf(query);
  const { words } = terms;
  search(terms).then(
    (found) => {
      const count = found.length === 1 ? texts.one : texts.several.replace('0', String(found.length));
      show(found.length > 0 ? texts.heading : texts.nothing, found.length > 0 ? count : texts.nothingHelp);
      const button = section.querySelector('button');
      let shown = 0;
      const showMore = () => {
        for (const post of found.slice(shown, shown + RESULTS_PER_PAGE)) showPost(section, post, words);
        shown += RESULTS_PER_PAGE;
        if (button) button.hidden = shown >= found.length;
      };
      button?.addEventListener('click', () => {
        const first = shown;
        showMore();
        section.querySelectorAll<HTMLElement>('ol a')[first]?.focus();
      });
      showMore();
    },
    () => show(texts.failed, texts.failedHelp),
  );
}

async function file(name: string): Promise<string> {
  const response = await fetch(`/${name}`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.text();
}

async function search({ words, tags }: SearchTerms): Promise<ExportedResult[]> {
  if (words.length + tags.length === 0) return [];
  const { parts } = JSON.parse(await file(PARTS_FILE)) as { parts: number };
  const all = Array.from({ length: parts }, async (_, n) => searchPart(await file(partFile(n)), words, tags));
  return inOrder((await Promise.all(all)).flat());
}

function showPost(within: HTMLElement, post: ExportedResult, words: readonly string[]): void {
  const item = within.querySelector('template')?.content.firstElementChild?.cloneNode(true) as HTMLElement;
  const link = item.querySelector('a') as HTMLAnchorElement;
  // The template's link already has the path prefix of all posts.
  link.href = post.address ?? link.href + post.id;
  link.replaceChildren(...nodes(marked(post.title, words)));
  const [author, time] = [item.querySelector('bdi'), item.querySelector('time')];
  if (post.author && author) author.textContent = post.author;
  else author?.remove();
  if (!post.day) time?.remove();
  else if (time) {
    time.dateTime = post.date;
    time.textContent = post.day;
  }
  within.querySelector('ol')?.append(item);
  const context = item.querySelector('[data-context]') as HTMLElement;
  textOf(link.pathname).then(
    (text) => context.append(...nodes(snippet(text, words))),
    // If the page cannot be loaded, the result is shown without a snippet.
    () => context.remove(),
  );
}

const nodes = (pieces: readonly Piece[]): Node[] =>
  pieces.map(({ text, hit }) => {
    if (!hit) return document.createTextNode(text);
    const mark = document.createElement('mark');
    mark.textContent = text;
    return mark;
  });

async function textOf(path: string): Promise<string> {
  const page = new DOMParser().parseFromString(await file(path.slice(1)), 'text/html');
  const prose = page.querySelector('.prose');
  for (const back of prose?.querySelectorAll('[data-footnote-backref]') ?? []) back.remove();
  const blocks = prose?.querySelectorAll('p,h2,h3,h4,h5,h6,ul,ol,li,pre,td,th,figcaption,br') ?? [];
  for (const block of blocks) {
    block.before('\n');
    block.after('\n');
  }
  return prose?.textContent ?? '';
}
