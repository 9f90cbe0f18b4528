import { each, link, type Rows } from './rows.ts';

let count = 0;
const article = (body: string, more = '', slug = `h-${++count}`) =>
  `---\ntitle: "A: B"\nseoDescription: "About it"\ndatePublished: Sun Oct 25 2015 01:02:03 GMT+0000 (Coordinated Universal Time)\ncuid: ck-${slug}\nslug: ${slug}\ntags: ink, paper\n${more}---\n\n${body}\n`;
const one = (body: string) => ({ 'ck.md': article(body) });
const picture = '![alt](https://elsewhere.test/a.png)';
const shown = '<img src="https://elsewhere.test/a.png" alt="alt">';

export const HASHNODE: Rows = {
  'takes articles with the date as JavaScript writes it, and links them to each other': [
    { 'ck1.md': article('[to](https://old.test/h-to#part)', '', 'h-from'), 'ck2.md': article('x', '', 'h-to') },
    [
      {
        ...{ id: 'h-from', title: 'A: B', createdAt: '2015-10-25T01:02:03.000+00:00' },
        ...{ content: link('/post/2#h-part', 'to'), tags: ['ink', 'paper'], excerpt: 'About it' },
      },
      { address: '/h-to' },
    ],
    { oldSite: 'https://old.test' },
  ],
  'links what %[…] embeds, not in code': [
    one('a\n\n%[https://v.test/1]\n\nb\n\n```\n%[https://v.test/2]\n```'),
    `<p>a</p>${link('https://v.test/1')}<p>b</p><pre><code>%[https://v.test/2]</code></pre>`,
  ],
  'reads pictures with an align in their destination': [
    one('![alt](https://elsewhere.test/a_(b).png align="center")'),
    '<p><img src="https://elsewhere.test/a_(b).png" alt="alt"></p>',
  ],
  'reads pictures and embeds in the steps of a list, and leaves indented code as it is': [
    one(
      `1. One\n\n    ![alt](https://elsewhere.test/a.png align="left")\n\n    %[https://elsewhere.test/film]\n\nText\n\n    %[https://elsewhere.test/code]\n`,
    ),
    `<ol><li><p>One</p><p>${shown}</p>${link('https://elsewhere.test/film')}</li></ol><p>Text</p><pre><code>%[https://elsewhere.test/code]</code></pre>`,
  ],
  ...each(
    [
      ['at the beginning of the line', '    ```sh\nmake\n```'],
      ['further left', '    ```sh\nmake\n ```'],
      ['below its beginning', '    ```sh\n    make\n    ```'],
    ],
    ([where, code]) => [
      `ends a block of code in a step where its author ended it, ${where}`,
      one(`1. One\n\n${code}\n\n    ${picture}\n\n## Next\n`),
      `<ol><li><p>One</p><pre><code class="language-sh">make</code></pre><p>${shown}</p></li></ol><h2>Next</h2>`,
    ],
  ),
  ...each(
    [
      ['by spaces', '    ```bash\n    npm i\n    ```'],
      ['by a tab', '\t```bash\n\tnpm i\n\t```'],
      ['by a tab and spaces', '\t```bash\n    npm i\n    ```'],
      ['below an empty line', '    ```bash\n    npm i\n\n    ```'],
      ['deeper than its end', '      ```bash\n      npm i\n    ```'],
    ],
    ([how, code]) => [
      `leaves a block of code alone whose end stands below its beginning, ${how}`,
      one(`1. Step\n\n${code}\n\nOutput:\n\`\`\`\nok\n\`\`\`\nrest`),
      '<ol><li><p>Step</p><pre><code class="language-bash">npm i</code></pre></li></ol><p>Output:</p><pre><code>ok</code></pre><p>rest</p>',
    ],
  ),
  'names a widget as lost, and skips a README': [
    { 'a.md': article('x\n\n%%[subscribe]\n\ny'), 'README.md': '# Backup\n' },
    [{ outcome: 'skipped' }, { content: '<p>x</p><p>y</p>', losses: ['subscribe'] }],
  ],
  'takes articles of an old backup, which have a heading and no front matter': [
    { 'ckpr40lut01cfcls1b20b4qxy.md': '# Old one\n\ntext\n', 'ckpr40lut01cfcls1b20b4qxz.md': article('x') },
    [{ title: 'Old one', content: '<p>text</p>', status: 'active' }, '<p>x</p>'],
  ],
  'takes drafts, named by their ids, as inactive': [
    { 'a.md': article('x'), 'draft-63a1c5dea59cad9bdbba2810.md': '---\ntitle: "Not yet"\nslug: not-yet\n---\nWords.' },
    [{ status: 'active' }, { title: 'Not yet', status: 'inactive' }],
  ],
  'reads values whose quotation marks and line breaks are not escaped': [
    {
      'ckpr40lut01cfcls1b20b4qxy.md': article('x', 'seoTitle: "Two\nlines, "both""\n')
        .replace('"A: B"', '"The "inky" way"')
        .replace('"About it"', '"About\nit"'),
    },
    { title: 'The "inky" way', excerpt: 'About\nit', tags: ['ink', 'paper'] },
  ],
};
