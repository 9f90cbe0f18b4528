import type { Element, ElementContent, Root } from 'hast';
import { build, isElement } from './figures.ts';

const BLOCK =
  /^(?:address|article|aside|blockquote|center|div|dl|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|ul)$/;

/** Turns text between double line breaks into paragraphs, including inside elements that contain other blocks. */
export function splitAtBreaks(parent: Root | Element): void {
  for (const child of parent.children)
    if (child.type === 'element' && /^(?:div|article|section|center|blockquote)$/.test(child.tagName))
      splitAtBreaks(child);
  const children = parent.children as ElementContent[];
  const result: ElementContent[] = [];
  let line: ElementContent[] = [];
  let breaks = 0;
  let hasSplit = false;
  const end = () => {
    if (line.length > 0) result.push(build('p', line));
    line = [];
    breaks = 0;
  };
  for (const child of children) {
    const isBreak = isElement(child, 'br');
    const isBlank = child.type === 'text' && child.value.trim() === '';
    if (child.type === 'element' && BLOCK.test(child.tagName)) {
      end();
      result.push(child);
    } else if (isBreak) {
      breaks += 1;
      if (breaks === 2) {
        hasSplit = true;
        end();
        breaks = 2;
      } else if (breaks < 2 && line.length > 0) line.push(child);
    } else if (isBlank) {
      if (line.length > 0) line.push(child);
    } else {
      breaks = 0;
      line.push(child);
    }
  }
  end();
  if (hasSplit) parent.children = result.map(withoutEdgeBreaks);
}

function withoutEdgeBreaks(node: ElementContent): ElementContent {
  if (!isElement(node, 'p')) return node;
  const isEdge = (child: ElementContent | undefined) =>
    child?.type === 'element' ? child.tagName === 'br' : child?.type === 'text' && child.value.trim() === '';
  const children = [...node.children];
  while (isEdge(children.at(-1))) children.pop();
  return { ...node, children };
}
