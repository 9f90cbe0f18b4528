/** Creates a draft of a new post from content that another app has shared and the service worker has stored. */

import { imageFault } from '#blog/images.ts';
import { currentSite } from '#stores/site.ts';
import { newDraftName, writeDraft, writePictures } from './draft-store.ts';
import { noteDraft } from './draft-tabs.ts';

/** Name of the cache in which the service worker stores shared content (`worker/worker.ts`). */
const SHARED = 'common-ink:shared';
/** Shared content is dropped after this time, because another person may use the device. */
const LIFETIME_MS = 3_600_000;

/** Stores the shared content as a draft, so that this page's form opens with it. Does nothing if nothing was shared. */
export async function keepSharedDraft(userId: string): Promise<void> {
  const answer = await (await caches.open(SHARED)).match('/add-post', { ignoreVary: true });
  if (!answer) return;
  const isFresh = Date.now() - Date.parse(answer.headers.get('date') ?? '') < LIFETIME_MS;
  const form = isFresh ? await answer.formData() : new FormData();
  const [title, text, url] = ['title', 'text', 'url'].map((name) => `${form.get(name) ?? ''}`.trim());
  const pictures: [address: string, file: File][] = [];
  for (const file of form.getAll('pictures'))
    if (file instanceof File && !(await imageFault(file))) pictures.push([`blob:${newDraftName()}`, file]);
  const content = html(text ?? '', url ?? '', pictures);
  if (title || content) {
    const draft = { userId, post: '', copy: newDraftName(), savedAt: Date.now(), picture: false };
    const newsletter = currentSite().newsletter ? ({ newsletter: 'send' } as const) : {};
    const words = {
      title: title ?? '',
      content,
      slug: '',
      slugEdited: false,
      status: 'active',
      ...newsletter,
    } as const;
    if ((await writeDraft({ ...draft, ...words })) !== 'kept') return;
    await writePictures(draft, pictures, []);
    noteDraft(draft.copy);
  }
  await caches.delete(SHARED);
  history.replaceState(history.state, '', location.pathname);
}

/** Returns HTML: the text as paragraphs with its URLs as links, then the pictures. */
function html(text: string, url: string, pictures: readonly (readonly [address: string, file: File])[]): string {
  // An inactive document does not load the pictures.
  const { body } = document.implementation.createHTMLDocument('');
  const lines = [...text.split(/\n+/), ...(url && !text.includes(url) ? [url] : [])];
  for (const line of lines.filter((each) => each.trim())) {
    const paragraph = document.createElement('p');
    for (const word of line.trim().split(/(https?:\/\/\S+)/)) {
      const isLink = /^https?:\/\//.test(word) && URL.canParse(word);
      const link = isLink && Object.assign(document.createElement('a'), { href: word, textContent: word });
      paragraph.append(link || word);
    }
    body.append(paragraph);
  }
  for (const [src] of pictures) {
    const figure = document.createElement('figure');
    figure.append(Object.assign(document.createElement('img'), { src, alt: '' }));
    body.append(figure);
  }
  return body.innerHTML;
}
