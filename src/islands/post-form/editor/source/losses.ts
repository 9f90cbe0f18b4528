/** What the sanitiser takes away from a source, told before it does. */

import { ALLOWED, DROPPED, SYNONYMS } from '#blog/content/allowlist.ts';
import { sanitise } from '#blog/content/sanitise.ts';
import { HELD, hold } from '../held-attributes.ts';

export interface Loss {
  /** `whole`: with all that is in it. `tag`: its words stay. */
  readonly kind: 'whole' | 'tag' | 'attribute' | 'comment';
  /** `<script>`, or `style` on `<p>`: `style <p>`. */
  readonly name: string;
  readonly count: number;
}

export interface Judgement {
  /** What would be stored. */
  readonly clean: string;
  readonly losses: readonly Loss[];
}

/** Counted on both sides of the sanitiser, so that it is the sanitiser's own word. */
export function judge(source: string): Judgement {
  const clean = sanitise(source);
  const [before, after] = [countsOf(source), countsOf(clean)];
  const losses: Loss[] = [];
  const lost = (key: string) => (before.get(key) ?? 0) - (after.get(key) ?? 0);
  for (const key of before.keys()) {
    const [tag = '', attribute] = key.split(' ');
    // Of an element that goes, its attributes need no word.
    const count = lost(key) - (attribute ? Math.max(0, lost(tag)) : 0);
    if (count <= 0) continue;
    if (tag === '#comment') losses.push({ kind: 'comment', name: '<!-- -->', count });
    else if (attribute) losses.push({ kind: 'attribute', name: `${attribute} <${tag}>`, count });
    else losses.push({ kind: DROPPED.includes(tag) ? 'whole' : 'tag', name: `<${tag}>`, count });
  }
  return { clean, losses };
}

/** Elements by tag, attributes of elements that may stay by `tag attribute`. What lies in what goes whole is not counted. */
function countsOf(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const visit = (node: Node) => {
    if (node instanceof Comment) add('#comment');
    if (node instanceof Element) {
      const own = node.tagName.toLowerCase();
      const tag = SYNONYMS[own] ?? own;
      // A check box at the head of an item is kept as the item's own mark.
      if (tag === 'input' && node.parentElement?.closest('li')) return;
      add(tag);
      if (DROPPED.includes(tag)) return;
      // Where `start` is 1, nothing is lost with it.
      const kept = [...node.attributes].filter(({ name, value }) => !(name === 'start' && value === '1'));
      if (tag in ALLOWED) for (const { name } of kept) add(`${tag} ${name.replace(HELD, '')}`);
    }
    node.childNodes.forEach(visit);
  };
  const template = document.createElement('template');
  // Inert: nothing in a template's content runs or loads.
  template.innerHTML = hold(html);
  template.content.childNodes.forEach(visit);
  return counts;
}
