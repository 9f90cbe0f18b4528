import { escaped, link, type Rows } from './rows.ts';

const ID = 'tag:blogger.com,1999:blog-1';
const KIND = 'http://schemas.google.com/g/2005#kind';
export const feedOf = (...entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:app="http://purl.org/atom/app#" xmlns:thr="http://purl.org/syndication/thread/1.0" xmlns:blogger="http://schemas.google.com/blogger/2018"><id>${ID}</id><link rel="alternate" href="https://old.blogspot.test/"/>${entries.join('')}</feed>`;
export const atom = (name: string, html: string, more = '', kind = 'post') =>
  `<entry><id>${ID}.${name}</id><published>2020-01-02T03:04:05.000+01:00</published><category scheme="${KIND}" term="http://schemas.google.com/blogger/2008/kind#${kind}"/><title type="text">T</title><content type="html">${escaped(html)}</content><link rel="alternate" href="https://old.blogspot.test/2020/01/${name}.html"/><author><name>Anna</name><uri>http://blogger.test/anna</uri><email>noreply@blogger.com</email></author>${more}</entry>`;
export const takeout = (name: string, html: string, { status = 'LIVE', type = 'POST', more = '' } = {}) =>
  `<entry><id>${ID}.${name}</id><blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status><author><name>Anna</name></author><title>T</title><content type="html">${escaped(html)}</content><blogger:created>2020-01-02T03:04:05Z</blogger:created><published>2020-01-02T03:04:05Z</published><blogger:filename>/2020/01/${name}.html</blogger:filename>${more}</entry>`;

const at = (size: string) => `https://blogger.googleusercontent.com/img/b/R29/AVv/${size}/a%20b.png`;
const captioned = `<table class="tr-caption-container"><tbody><tr><td><a href="${at('s1600')}"><img border="0" src="${at('w320-h240')}" alt="red"/></a></td></tr><tr><td class="tr-caption">A sheet</td></tr></tbody></table>`;

export const BLOGGER: Rows = {
  'takes the old Atom file: kinds by category, drafts by app:control, addresses by link': [
    feedOf(
      atom('b-one', '<p>a</p>', '<category scheme="http://www.blogger.com/atom/ns#" term="ink"/>'),
      atom('b-two', '<p>b</p>', '<app:control><app:draft>yes</app:draft></app:control>'),
      atom('b-template', 'x', '', 'template'),
      atom('b-comment', 'nice', `<thr:in-reply-to ref="${ID}.b-one"/>`, 'comment'),
    ),
    [
      { outcome: 'skipped' },
      {
        ...{ id: 'b-one', tags: ['ink'], status: 'active', createdAt: '2020-01-02T02:04:05.000+00:00' },
        ...{ notes: '1 comments', address: '/2020/01/b-one.html' },
      },
      { id: 'b-two', status: 'inactive' },
    ],
  ],
  'takes Takeout: type, status and the only address, blogger:filename': [
    {
      'Takeout/Blogger/Blogs/Mine/feed.atom': feedOf(
        takeout('t-live', link('https://old.blogspot.test/2020/01/t-page.html#part', 'p'), {
          more: '<blogger:metaDescription>About it</blogger:metaDescription>',
        }),
        takeout('t-draft', 'b', { status: 'DRAFT' }),
        takeout('t-trashed', 'c', { more: '<blogger:trashed>2021-01-01T00:00:00Z</blogger:trashed>' }),
        takeout('t-page', 'd', { type: 'PAGE' }),
        takeout('t-comment', 'e', { type: 'COMMENT', more: `<blogger:parent>${ID}.t-live</blogger:parent>` }),
      ),
      'Takeout/Blogger/Blogs/Mine/settings.csv': 'a,b',
    },
    [
      { status: 'active', content: link('/t-page#h-part', 'p'), excerpt: 'About it', notes: '1 comments' },
      { status: 'inactive' },
      { status: 'inactive', notes: 'trashed' },
      { status: 'active', kind: 'page', address: '/2020/01/t-page.html', leadsTo: '/t-page' },
    ],
  ],
  'keeps a scheduled post private until its time': [
    feedOf(takeout('b-soon', 'a', { status: 'SCHEDULED' })).replaceAll('2020-01-02', '2999-01-02'),
    { status: 'inactive', publishAt: '2999-01-02T03:04:05.000Z', notes: '2999-01-02' },
  ],
  'takes the original of a scaled picture, at /s0/, with its caption, once': [
    feedOf(atom('b-picture', `<p>x</p>${captioned}<div><a href="${at('s1600')}"><img src="${at('s320')}"/></a></div>`)),
    '<p>x</p><figure><img src="picture 1" alt="red" width="9" height="9"><figcaption>A sheet</figcaption></figure><p><img src="picture 1" width="9" height="9"></p>',
    { pictures: ['a b.png'] },
  ],
  'makes paragraphs at double line breaks': [
    feedOf(atom('b-breaks', 'one<br />two<br /><br />three <b>four</b><br /><br /><div>five<br/><br/>six</div>')),
    '<p>one<br>two</p><p>three <strong>four</strong></p><p>five</p><p>six</p>',
  ],
};
