import { createElement, type FunctionComponent } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { type Props, writtenOnce } from './written-once.ts';

let renders = 0;
beforeEach(() => {
  renders = 0;
});

const Card: FunctionComponent<Props> = ({ post, author }) => {
  renders += 1;
  return createElement('p', null, (post as { title: string }).title, ' by ', author as string);
};
const Line: FunctionComponent<Props> = ({ post }) => createElement('b', null, (post as { title: string }).title);
const Picture: FunctionComponent<Props> = () => createElement('img', { src: '/a.png', fetchPriority: 'high' });

it('writes a card once for as long as the post is the same, and anew for everything that differs', () => {
  const post = { title: 'Ink' };
  for (let i = 0; i < 3; i++) expect(writtenOnce(Card, { post, author: 'Ada' })).toBe('<p>Ink by Ada</p>');
  expect(renders).toBe(1);
  expect(writtenOnce(Card, { post, author: 'Ben' })).toBe('<p>Ink by Ben</p>');
  expect(writtenOnce(Card, { post })).toBe('<p>Ink by </p>');
  expect(writtenOnce(Card, { post: { title: 'Paper' }, author: 'Ada' })).toBe('<p>Paper by Ada</p>');
  expect(writtenOnce(Line, { post, author: 'Ada' })).toBe('<b>Ink</b>');
  expect(writtenOnce(Card, { post, author: 'Ada' })).toBe('<p>Ink by Ada</p>');
});

it('remembers the last few hundred posts and no more', () => {
  const posts = Array.from({ length: 400 }, (_, n) => ({ title: `Post ${n}` }));
  for (const post of posts) writtenOnce(Card, { post });
  renders = 0;
  for (const post of posts.slice(-100)) writtenOnce(Card, { post });
  expect(renders).toBe(0);
  writtenOnce(Card, { post: posts[0] });
  expect(renders).toBe(1);
});

it('leaves out what React would have the browser load', () => {
  expect(writtenOnce(Picture, {})).toBe('<img src="/a.png" fetchPriority="high"/>');
});
