import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Importing, openImporting } from '../../../tests/support/importing.ts';

let importing: Importing;
let run = 0;
beforeAll(async () => {
  importing = await openImporting();
});
afterAll(() => importing.close());

const article = (body: string, more = '') =>
  `---\ntitle: "A: B"\nseoDescription: "About it"\ndatePublished: Sun Oct 25 2015 01:02:03 GMT+0000 (Coordinated Universal Time)\ncuid: ck${++run}\nslug: h-${run}\ntags: ink, paper\n${more}---\n\n${body}\n`;
const take = async (body: string) => importing.take(await importing.folder({ [`ck${run}.md`]: article(body) }));

it('is told by its content, as a folder and as a zip file, with the date as JavaScript writes it', async () => {
  const { format, posts, results } = await take('text');
  expect(format).toBe('hashnode');
  expect(posts[0]).toMatchObject({ title: 'A: B', content: '<p>text</p>', createdAt: '2015-10-25T01:02:03.000+00:00' });
  expect(results[0]?.slug).toBe(`h-${run}`);
  expect(posts[0]).toMatchObject({ tags: ['ink', 'paper'], excerpt: 'About it' });
  expect((await importing.take(await importing.zip({ 'a/x.md': article('zipped') }))).format).toBe('hashnode');
});

it('links what %[…] embeds, not in code', async () => {
  const { posts } = await take('a\n\n%[https://v.test/1]\n\nb\n\n```\n%[https://v.test/2]\n```');
  expect(posts[0]?.content.replace(/\n/g, '')).toBe(
    '<p>a</p><p><a href="https://v.test/1">https://v.test/1</a></p><p>b</p><pre><code>%[https://v.test/2]</code></pre>',
  );
});

it('reads pictures with an align in their destination', async () => {
  const { posts } = await take('![alt](https://elsewhere.test/a_(b).png align="center")');
  expect(posts[0]?.content).toBe('<p><img src="https://elsewhere.test/a_(b).png" alt="alt"></p>');
});

it('reads pictures and embeds in the steps of a list, and leaves indented code as it is', async () => {
  const { posts } = await take(
    '1. One\n\n    ![alt](https://elsewhere.test/a.png align="left")\n\n    %[https://elsewhere.test/film]\n\nText\n\n    %[https://elsewhere.test/code]\n',
  );
  expect(posts[0]?.content).toContain('<img src="https://elsewhere.test/a.png" alt="alt">');
  expect(posts[0]?.content).toContain('<a href="https://elsewhere.test/film">');
  expect(posts[0]?.content).toContain('<pre><code>%[https://elsewhere.test/code]');
});

it.each([
  ['at the beginning of the line', '    ```sh\nmake\n```'],
  ['further left', '    ```sh\nmake\n ```'],
  ['below its beginning', '    ```sh\n    make\n    ```'],
])('ends a block of code in a step where its author ended it, %s', async (_, code) => {
  const { posts } = await take(`1. One\n\n${code}\n\n    ![alt](https://elsewhere.test/a.png)\n\n## Next\n`);
  expect(posts[0]?.content.replace(/\n/g, '')).toBe(
    '<ol><li><p>One</p><pre><code class="language-sh">make</code></pre><p><img src="https://elsewhere.test/a.png" alt="alt"></p></li></ol><h2>Next</h2>',
  );
});

it.each([
  ['by spaces', '    ```bash\n    npm i\n    ```'],
  ['by a tab', '\t```bash\n\tnpm i\n\t```'],
  ['by a tab and spaces', '\t```bash\n    npm i\n    ```'],
  ['below an empty line', '    ```bash\n    npm i\n\n    ```'],
  ['deeper than its end', '      ```bash\n      npm i\n    ```'],
])('leaves a block of code alone whose end stands below its beginning, %s', async (_, code) => {
  const { posts } = await take(`1. Step\n\n${code}\n\nOutput:\n\`\`\`\nok\n\`\`\`\nrest`);
  expect(posts[0]?.content.replace(/\n/g, '')).toBe(
    '<ol><li><p>Step</p><pre><code class="language-bash">npm i</code></pre></li></ol><p>Output:</p><pre><code>ok</code></pre><p>rest</p>',
  );
});

it('names a widget as lost, and skips a README', async () => {
  const path = await importing.folder({ 'a.md': article('x\n\n%%[subscribe]\n\ny'), 'README.md': '# Backup\n' });
  const { results, posts } = await importing.take(path);
  expect(results).toMatchObject([{ outcome: 'skipped' }, { losses: [expect.stringContaining('subscribe')] }]);
  expect(posts[1]?.content.replace(/\n/g, '')).toBe('<p>x</p><p>y</p>');
});

it('takes articles of an old backup, which have a heading and no front matter', async () => {
  const path = await importing.folder({
    'ckpr40lut01cfcls1b20b4qxy.md': '# Old one\n\ntext\n',
    'ckpr40lut01cfcls1b20b4qxz.md': article('x'),
  });
  const { format, posts } = await importing.take(path);
  expect(format).toBe('hashnode');
  expect(posts[0]).toMatchObject({ title: 'Old one', content: '<p>text</p>', status: 'active' });
});

it('takes drafts, named by their ids, as inactive', async () => {
  const draft = '---\ntitle: "Not yet"\nslug: not-yet\n---\nWords.';
  const path = await importing.folder({ 'a.md': article('x'), 'draft-63a1c5dea59cad9bdbba2810.md': draft });
  const { posts } = await importing.take(path);
  expect(posts.map((post) => [post?.title, post?.status])).toContainEqual(['Not yet', 'inactive']);
});

it('reads values whose quotation marks and line breaks nobody escaped', async () => {
  const seo = 'seoTitle: "Two\nlines, "both""\n';
  const quoted = article('x', seo).replace('"A: B"', '"The "inky" way"').replace('"About it"', '"About\nit"');
  const { posts, format } = await importing.take(await importing.folder({ 'ckpr40lut01cfcls1b20b4qxy.md': quoted }));
  expect(format).toBe('hashnode');
  expect(posts[0]).toMatchObject({ title: 'The "inky" way', excerpt: 'About\nit', tags: ['ink', 'paper'] });
});
