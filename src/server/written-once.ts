/** What is written of a post is remembered: of the posts on a list page an edit changes one. */
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

export type Props = Readonly<Record<string, unknown>>;

interface Written {
  readonly component: FunctionComponent;
  readonly props: Props;
  readonly html: string;
}

/** Posts whose markup is remembered: a dozen list pages, half a megabyte. */
const POSTS_KEPT = 300;

/** What React would have a browser load early; a page says that itself. */
const HINTS = /<link\s[^>]*rel="(?:preload|preconnect|dns-prefetch)"[^>]*>/g;

/** By the post itself: one that was changed is another object. Oldest first. */
const written = new Map<object, Written>();

/** The markup of a component that is a function of its props alone; a `post` among them is known by its identity. */
export function writtenOnce(component: FunctionComponent, props: Props): string {
  const { post } = props;
  if (typeof post !== 'object' || post === null) return markupOf(component, props);
  const known = written.get(post);
  if (known?.component === component && areSame(known.props, props)) return known.html;
  const html = markupOf(component, props);
  written.delete(post);
  written.set(post, { component, props, html });
  const [oldest] = written.keys();
  if (written.size > POSTS_KEPT && oldest) written.delete(oldest);
  return html;
}

function markupOf(component: FunctionComponent, props: Props): string {
  return renderToStaticMarkup(createElement(component, props)).replace(HINTS, '');
}

function areSame(one: Props, other: Props): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]));
}
