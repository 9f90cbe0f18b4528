/** Ghost's cards as plain HTML: what they play with has no words of the author's. */

import type { Element, Root } from 'hast';
import { elementsIn } from '#blog/content/tree.ts';

/** Controls of players, and icons of buttons and files. */
const CONTROLS: ReadonlySet<string> = new Set([
  'kg-video-player-container',
  'kg-video-overlay',
  'kg-audio-player',
  'kg-toggle-card-icon',
  'kg-file-card-icon',
]);

const classesOf = ({ properties: { className } }: Element): readonly string[] =>
  Array.isArray(className) ? className.map(String) : [];

export function prepareBody(tree: Root): void {
  for (const [element, parent] of elementsIn(tree)) {
    const classes = classesOf(element);
    const isPlaceholder = classes.includes('kg-audio-thumbnail') && !element.properties.src;
    const children = parent.children as Root['children'];
    if (isPlaceholder || classes.some((each) => CONTROLS.has(each))) children.splice(children.indexOf(element), 1);
    // Its styles keep it apart from the author's name.
    else if (classes.includes('kg-bookmark-publisher'))
      children.splice(children.indexOf(element), 0, { type: 'text', value: ' ' });
  }
}
