/**
 * Serialises a tree of HTML. Our own, because every public page is written here and a general serialiser takes four
 * times as long (decision 009).
 */
import type { Element, Nodes, Properties } from 'hast';
import { find, html } from 'property-information';

/** Elements without an end tag (HTML standard, 13.1.2). */
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const RAW_TEXT = new Set(['script', 'style']);

const NAMED: Readonly<Record<string, string>> = { '"': '&quot;', '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns HTML that browsers parse to the same tree, except that adjacent texts become one and attribute names that
 * only SVG has are not restored; no stored text has any.
 * @throws TypeError for a node that only Markdown has
 */
export function writeHtml(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value.replace(/[<&]/g, reference);
    case 'element':
      return writeElement(node);
    case 'root':
      return writeAll(node.children);
    case 'comment':
      return `<!--${node.value.replace(/^-?>|<!--|--!?>|<!-$/g, (end) => end.replace(/[<>]/g, reference))}-->`;
    case 'doctype':
      return '<!doctype html>';
    default:
      throw new TypeError(`An HTML tree has no node of type ${node.type}.`);
  }
}

function writeAll(nodes: readonly Nodes[]): string {
  let written = '';
  for (const node of nodes) written += writeHtml(node);
  return written;
}

function writeElement({ tagName, properties, children, content }: Element): string {
  const text = RAW_TEXT.has(tagName)
    ? children.map((child) => (child.type === 'text' ? child.value : writeHtml(child))).join('')
    : writeAll(content?.children ?? children);
  const end = VOID_ELEMENTS.has(tagName) && text === '' ? '' : `</${tagName}>`;
  return `<${tagName}${writeAttributes(properties)}>${text}${end}`;
}

function writeAttributes(properties: Properties): string {
  let written = '';
  for (const property in properties) written += writeAttribute(property, properties[property]);
  return written;
}

function writeAttribute(property: string, value: Properties[string]): string {
  if (value === undefined || value === null || value === false) return '';
  const { attribute, boolean, overloadedBoolean, commaSeparated } = find(html, property);
  const name = attribute.replace(/[\0\t\n\f\r "&'/<=>`]/g, reference);
  const mayBeBare = boolean || overloadedBoolean;
  if (value === true || (mayBeBare && (typeof value === 'number' || value === attribute))) return ` ${name}`;
  if (mayBeBare && value === '') return overloadedBoolean ? ` ${name}` : '';
  const text = Array.isArray(value) ? value.join(commaSeparated ? ', ' : ' ').trim() : String(value);
  return ` ${name}="${text.replace(/[\0"&'`]/g, reference)}"`;
}

const reference = (character: string): string =>
  NAMED[character] ?? `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`;
