import { ALLOWED, DROPPED, SYNONYMS } from '#blog/content/allowlist.ts';
import { sanitise } from '#blog/content/sanitise.ts';
import { PRESERVED, preserveAttributes } from '../html/inert-document.ts';

export interface Loss {
  /** `whole` means that an element is removed with its content, `tag` that only its tags are removed. */
  readonly kind: 'whole' | 'tag' | 'attribute' | 'comment';
  /** The tag, such as `<script>`, or an attribute's name, such as `style`. */
  readonly name: string;
  readonly element?: string;
  readonly count: number;
}

export interface Judgement {
  readonly clean: string;
  readonly losses: readonly Loss[];
}

/** Returns the sanitised HTML and the lost markup, found by counting elements and attributes before and after. */
export function judge(source: string): Judgement {
  const clean = sanitise(source);
  const [before, after] = [countsOf(source), countsOf(clean)];
  const losses: Loss[] = [];
  const lost = (key: string) => (before.get(key) ?? 0) - (after.get(key) ?? 0);
  for (const key of before.keys()) {
    const [tag = '', attribute] = key.split(' ');
    // Leaves out the attributes of removed elements.
    const count = lost(key) - (attribute ? Math.max(0, lost(tag)) : 0);
    if (count <= 0) continue;
    if (tag === '#comment') losses.push({ kind: 'comment', name: '<!-- -->', count });
    else if (attribute) losses.push({ kind: 'attribute', name: attribute, element: `<${tag}>`, count });
    else losses.push({ kind: DROPPED.includes(tag) ? 'whole' : 'tag', name: `<${tag}>`, count });
  }
  return { clean, losses };
}

/** Counts elements by tag and attributes by `tag attribute`, except inside elements removed with their content. */
function countsOf(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const visit = (node: Node) => {
    if (node instanceof Comment) add('#comment');
    if (node instanceof Element) {
      const own = node.tagName.toLowerCase();
      const tag = SYNONYMS[own] ?? own;
      // Ignores a check box in a list item, because it becomes an attribute of the item.
      if (tag === 'input' && node.parentElement?.closest('li')) return;
      add(tag);
      if (DROPPED.includes(tag)) return;
      const kept = [...node.attributes].filter(({ name, value }) => !(name === 'start' && value === '1'));
      if (tag in ALLOWED) for (const { name } of kept) add(`${tag} ${name.replace(PRESERVED, '')}`);
    }
    node.childNodes.forEach(visit);
  };
  const template = document.createElement('template');
  // Parses into a template, whose content is inert: it runs and loads nothing.
  template.innerHTML = preserveAttributes(html);
  template.content.childNodes.forEach(visit);
  return counts;
}
