/** Prepares an MDX tree for HTML: drops `import` and `export`, and replaces literal expressions and components. */

import type { Expression, Program } from 'estree-jsx';
import type { Nodes, Parents, Root } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { isComponent, isUnread } from './raw-html.ts';

interface Found {
  readonly components: Set<string>;
  readonly unknown: Set<string>;
}

/** Changes the tree. Returns the names of its components, and the expressions that only a build could evaluate. */
export function settleMdx(tree: Root) {
  const imports = new Map<string, string>();
  const found: Found = { components: new Set(), unknown: new Set() };
  for (const node of tree.children) if (node.type === 'mdxjsEsm') readImports(node.data?.estree, imports);
  settleChildren(tree, imports, found);
  return { components: [...found.components], unknown: [...found.unknown] };
}

type Imports = ReadonlyMap<string, string>;

function readImports(program: Program | null | undefined, imports: Map<string, string>): void {
  for (const statement of program?.body ?? []) {
    if (statement.type !== 'ImportDeclaration') continue;
    for (const specifier of statement.specifiers)
      if (specifier.type === 'ImportDefaultSpecifier')
        imports.set(specifier.local.name, String(statement.source.value));
  }
}

function settleChildren(parent: Parents, imports: Imports, found: Found): void {
  parent.children = parent.children.flatMap((node) => settled(node, imports, found)) as typeof parent.children;
}

function settled(node: Nodes, imports: Imports, found: Found): Nodes[] {
  switch (node.type) {
    case 'mdxjsEsm':
      return [];
    case 'mdxFlowExpression':
    case 'mdxTextExpression': {
      const value = writtenIn(node.data?.estree, imports);
      if (value === undefined && node.data?.estree?.body.length !== 0) found.unknown.add(shortened(`{${node.value}}`));
      if (!value) return [];
      const text = { type: 'text', value } as const;
      return [node.type === 'mdxTextExpression' ? text : { type: 'paragraph', children: [text] }];
    }
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      settleElement(node, imports, found);
      return [node];
  }
  if ('children' in node) settleChildren(node, imports, found);
  return [node];
}

/** Converts a JSX element by setting `data`, from which `remark-rehype` creates an HTML element. */
function settleElement(node: MdxJsxFlowElement | MdxJsxTextElement, imports: Imports, found: Found): void {
  const name = node.name ?? '';
  const isKnown = name === '' || (isComponent(name) && !isUnread(name));
  if (isKnown && name) found.components.add(name);
  const properties: Record<string, string> = {};
  for (const attribute of node.attributes) {
    if (attribute.type !== 'mdxJsxAttribute') continue;
    const { value } = attribute;
    const text = typeof value === 'object' && value ? writtenIn(value.data?.estree, imports) : (value ?? '');
    if (text !== undefined) properties[attribute.name] = text;
  }
  const plain = node.type === 'mdxJsxFlowElement' ? 'div' : 'span';
  node.data = {
    ...node.data,
    hName: isKnown ? plain : /^image$/i.test(name) ? 'img' : name.toLowerCase(),
    hProperties: isKnown ? {} : properties,
  };
  settleChildren(node as Parents, imports, found);
}

function writtenIn(program: Program | null | undefined, imports: Imports): string | undefined {
  const statement = program?.body[0];
  return statement?.type === 'ExpressionStatement' ? textOf(statement.expression, imports) : undefined;
}

function textOf(expression: Expression, imports: Imports): string | undefined {
  if (expression.type === 'Literal') return typeof expression.value === 'boolean' ? '' : String(expression.value ?? '');
  if (expression.type === 'TemplateLiteral' && expression.expressions.length === 0)
    return expression.quasis[0]?.value.cooked ?? undefined;
  if (expression.type === 'Identifier') return imports.get(expression.name);
  if (expression.type === 'MemberExpression' && expression.object.type === 'Identifier')
    return imports.get(expression.object.name);
  const asked =
    expression.type === 'CallExpression' && expression.callee.type === 'Identifier' ? expression : undefined;
  const [first] = asked?.callee.type === 'Identifier' && asked.callee.name === 'require' ? asked.arguments : [];
  return first?.type === 'Literal' ? String(first.value) : undefined;
}

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};
