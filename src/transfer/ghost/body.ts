import type { Root } from 'hast';
import { elementsIn } from '#blog/content/tree.ts';
import { classesOf, replaceElement } from '../html/figures.ts';

const CONTROLS: ReadonlySet<string> = new Set([
  'kg-video-player-container',
  'kg-video-overlay',
  'kg-audio-player',
  'kg-toggle-card-icon',
  'kg-file-card-icon',
]);

export function prepareBody(tree: Root): void {
  for (const [element, parent] of elementsIn(tree)) {
    const classes = classesOf(element);
    const isPlaceholder = classes.includes('kg-audio-thumbnail') && !element.properties.src;
    if (isPlaceholder || classes.some((each) => CONTROLS.has(each))) replaceElement(parent, element, []);
    // Ghost separates the two by styles only.
    else if (classes.includes('kg-bookmark-publisher'))
      replaceElement(parent, element, [{ type: 'text', value: ' ' }, element]);
  }
}
