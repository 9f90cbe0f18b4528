import type { Element, Root } from 'hast';
import { elementsIn } from '#blog/content/tree.ts';
import { build, hasClass } from '../html/figures.ts';

const BACKGROUND = /background(?:-image)?\s*:[^;]*?url\(\s*(["']?)([^"')]+)\1\s*\)/i;

/** Changes the tree in place. A picture that is also in the block is shown once. */
export function showBackgrounds(tree: Root): void {
  for (const [element] of elementsIn(tree)) {
    const { style, ariaLabel } = element.properties;
    const src = hasClass(element, /^wp-block-/) ? BACKGROUND.exec(String(style ?? ''))?.[2]?.trim() : undefined;
    if (!src || holds(element, src)) continue;
    element.children.unshift(build('figure', [build('img', [], { src, alt: String(ariaLabel ?? '') })]));
  }
}

const holds = (block: Element, src: string): boolean =>
  elementsIn(block).some(([{ tagName, properties }]) => tagName === 'img' && properties.src === src);
