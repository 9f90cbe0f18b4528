import { describe, expect, it, test } from 'vitest';
import {
  conflictComment,
  conflictsIn,
  type FieldChanges,
  type PatchOptions,
  patchFrontMatter,
  withoutConflictComments,
} from './front-matter.ts';

const BODY = '\nFirst words.\n\n---\n\ntitle: no field\n';
const yaml = (head: string, body = BODY) => `---\n${head}---\n${body}`;
const toml = (head: string) => `+++\n${head}+++\n${BODY}`;
/** The field `commonInk` marks this product's own exports. */
const patch = (text: string, changes: FieldChanges, options: Partial<PatchOptions> = {}) =>
  patchFrontMatter(text, changes, { isOwn: text.includes('\ncommonInk: '), ...options });

/** Replaces parts of a text: each key, which must occur exactly once, with its value. */
function replaced(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((made, [from, to]) => {
    expect(made.split(from), from).toHaveLength(2);
    return made.replace(from, () => to);
  }, text);
}

const HUGO = yaml(`title: "The Ink's Tale" # shown twice
date: 2024-03-01T10:00:00+01:00
draft: true
tags: [ "paper", 'ink',  pens ]
categories:
  - Craft
cover:
    image: "images/a.jpg"   # relative
    caption: |
        A bottle

weight:   5
description: >-
    Two lines
    of a summary
params: {image: x.png, math: true}
`);

const HUGO_TOML = toml(`# Written by hand
title = 'Ink'
date = 2024-03-01
draft = true # not yet
tags = [
  "paper",
  "ink",
]
"description" = """
Of ink"""
aliases = ["/a]b/", '/c#d/']

# More
[params]
  image = "a=b.png" # wide
[[resources]]
  title = "None"
`);

const ZOLA = toml(`title = "Ink"
path = "2024/ink"

[taxonomies]
tags = ["a", "b"]

[extra]
image = "x.png"
`);

const HUGO_JSON = `{
\t"title": "Ink",
\t"draft": true,
\t"tags": [
\t\t"paper"
\t],
\t"params": {
\t\t"n": 1
\t}
}
${BODY}`;

const JEKYLL = yaml(`layout: post
title:  Ink & Paper
date:   2024-03-01 10:00:00 +0100
tags: ink paper
published: false
excerpt_separator: <!--more-->
`).replaceAll('\n', '\r\n');

const ASTRO = yaml(`title: 'It''s ink'
description: 'Of ink'
pubDate: 'Jul 08 2022'
heroImage: '../../assets/ink.jpg'
tags: ["ink", "paper"]
lang: en
`);

const OBSIDIAN = `\uFEFF${yaml(`aliases:
  - Ink
tags:
  # kept
  - ink # first
  - "paper"
  # of pens
  - pens
created: 2024-03-01
publish: true
cssclasses: []
description:
`)}`;

const OWN = yaml(`title: Ink
slug: ink
date: 2024-03-01T10:00:00.000Z
draft: true
author:
  id: ann
  name: Ann
featuredImage: ../pictures/a/a.png
tags:
  - ink
excerpt: "Of: ink"
aliases: []
commonInk: 1 lines
`);

type Case = readonly [
  name: string,
  changes: FieldChanges,
  parts: Readonly<Record<string, string>>,
  options?: Partial<PatchOptions>,
];

/** Defines a test for each change to `text`. */
function writes(text: string, cases: readonly Case[]): void {
  for (const [name, changes, parts, options] of cases)
    it(`writes ${name}, and no other byte`, () => expect(patch(text, changes, options)).toBe(replaced(text, parts)));
}

const FUTURE = '2999-05-01T08:00:00.000Z';

writes(HUGO, [
  ['a double-quoted title', { title: 'Say "ink"' }, { '"The Ink\'s Tale"': '"Say \\"ink\\""' }],
  ['a status', { status: 'active' }, { 'draft: true': 'draft: false' }],
  ['a flow list', { tags: ['ink', 'a', 'pens'] }, { '"paper", \'ink\',  pens': `'ink', "a",  pens` }],
  ['a longer flow list', { tags: ['paper', 'ink', 'pens', 'x'] }, { 'pens ]': 'pens,  "x" ]' }],
  ['no tags', { tags: [] }, { 'tags: [ "paper", \'ink\',  pens ]\n': '' }],
  ['a nested image', { featuredImage: 'id' }, { 'images/a.jpg': 'b c.png' }, { imagePath: 'b c.png' }],
  ['a folded block', { excerpt: 'One: line' }, { '    Two lines\n    of a summary\n': '    One: line\n' }],
  ['a removed block', { excerpt: '' }, { 'description: >-\n    Two lines\n    of a summary\n': '' }],
  ['a new language', { language: 'no' }, { 'true}\n': 'true}\nlang: "no"\n' }],
  [
    'a removed image before another',
    { featuredImage: '' },
    { '    image: "images/a.jpg"   # relative\n': '', 'true}\n': 'true}\nfeaturedImage: ""\n' },
  ],
  [
    'a scheduled draft',
    { publishAt: FUTURE },
    { '2024-03-01T10:00:00+01:00': '2999-05-01T08:00:00Z', 'draft: true': 'draft: false' },
  ],
  [
    'several fields',
    { title: 'T', excerpt: 'E', status: 'active' },
    { '"The Ink\'s Tale"': '"T"', 'Two lines\n    of a summary': 'E', 'draft: true': 'draft: false' },
  ],
]);

writes(HUGO_TOML, [
  ['a single-quoted TOML title', { title: 'a "b"' }, { "'Ink'": `'a "b"'` }],
  ['a TOML title with both quotes', { title: `a's "b"` }, { "'Ink'": `"a's \\"b\\""` }],
  ['a TOML status', { status: 'active' }, { 'draft = true': 'draft = false' }],
  ['a multi-line array', { tags: ['ink', 'x', 'y'] }, { '  "paper",\n  "ink",\n': '  "ink",\n  "x",\n  "y",\n' }],
  ['a removed array', { tags: [] }, { 'tags = [\n  "paper",\n  "ink",\n]\n': '' }],
  ['a multi-line TOML text', { excerpt: 'Of paper' }, { '"""\nOf ink"""': '"Of paper"' }],
  ['a new TOML field', { language: 'de' }, { "'/c#d/']\n": `'/c#d/']\nlang = "de"\n` }],
  ['a value in a TOML table', { featuredImage: 'id' }, { '"a=b.png"': '"c.png"' }, { imagePath: 'c.png' }],
  ['a removed value of a TOML table', { featuredImage: '' }, { '  image = "a=b.png" # wide\n': '' }],
  [
    'a TOML time',
    { publishAt: '2999-05-01T00:00:00.000Z' },
    { '2024-03-01': '2999-05-01', 'draft = true': 'draft = false' },
  ],
]);

writes(ZOLA, [
  ["Zola's tags", { tags: ['a', 'c'] }, { '["a", "b"]': '["a", "c"]' }],
  ["Zola's removed tags", { tags: [] }, { 'tags = ["a", "b"]\n': '' }],
  ['a TOML end', { unpublishAt: FUTURE }, { 'ink"\n\n': 'ink"\nexpiryDate = 2999-05-01T08:00:00Z\n\n' }],
]);

writes(HUGO_JSON, [
  ['JSON', { title: 'a "b"', status: 'active' }, { '"Ink"': '"a \\"b\\""', true: 'false' }],
  ['a JSON list', { tags: ['paper', 'ink'] }, { '"paper"\n': '"paper",\n\t\t"ink"\n' }],
  ['a new JSON field', { language: 'de' }, { '1\n\t}\n': '1\n\t},\n\t"lang": "de"\n' }],
  ['a removed JSON field', { tags: [] }, { '\t"tags": [\n\t\t"paper"\n\t],\n': '' }],
]);

writes(JEKYLL, [
  ['a plain title that needs quotes', { title: 'Ink: a tale' }, { 'Ink & Paper': '"Ink: a tale"' }],
  ['a published post', { status: 'active' }, { 'published: false': 'published: true' }],
  ['a text of tags', { tags: ['ink', 'pens'] }, { 'tags: ink paper': 'tags: [ink, pens]' }],
  [
    'a new field with its line end',
    { excerpt: 'Of ink' },
    { '<!--more-->\r\n': '<!--more-->\r\ndescription: Of ink\r\n' },
  ],
  ['a removed field with its line end', { tags: [] }, { 'tags: ink paper\r\n': '' }],
]);

writes(ASTRO, [
  ['a single-quoted title', { title: "Pens'" }, { "'It''s ink'": `'Pens'''` }],
  ['a date in words', { status: 'inactive', publishAt: FUTURE }, { 'Jul 08 2022': '2999-05-01T08:00:00Z' }],
  ['an image', { featuredImage: 'id' }, { '../../assets/ink.jpg': './x.png' }, { imagePath: './x.png' }],
  ['a new status', { status: 'inactive' }, { 'lang: en\n': 'lang: en\ndraft: true\n' }],
  ['a page', { kind: 'page' }, { 'lang: en\n': 'lang: en\nkind: page\n' }],
]);

writes(OBSIDIAN, [
  ['an added item', { tags: ['ink', 'paper', 'pens', 'yes'] }, { '  - pens\n': '  - pens\n  - "yes"\n' }],
  ['a removed item', { tags: ['ink', 'pens'] }, { '  - "paper"\n  # of pens\n': '' }],
  [
    'reordered items',
    { tags: ['paper', 'ink'] },
    { '  - ink # first\n  - "paper"\n  # of pens\n  - pens\n': '  - "paper"\n  # of pens\n  - ink # first\n' },
  ],
  ['an empty property', { excerpt: 'Of ink' }, { 'description:\n': 'description: Of ink\n' }],
  ['an unpublished note', { status: 'inactive' }, { 'publish: true': 'publish: false' }],
  [
    'a removed block list',
    { tags: [] },
    { 'tags:\n  # kept\n  - ink # first\n  - "paper"\n  # of pens\n  - pens\n': '' },
  ],
]);

writes(OWN, [
  ['an own status', { status: 'active' }, { 'draft: true': 'draft: false' }],
  ['an own picture', { featuredImage: 'b' }, { 'a/a.png': 'b/b.png' }, { imagePath: '../pictures/b/b.png' }],
  [
    'an own schedule',
    { publishAt: FUTURE, newsletter: 'send' },
    { 'lines\n': `lines\npublishAt: ${FUTURE}\nnewsletter: send\n` },
  ],
  [
    'own removed fields',
    { tags: [], excerpt: '', featuredImage: '' },
    { 'featuredImage: ../pictures/a/a.png\ntags:\n  - ink\nexcerpt: "Of: ink"\n': '' },
  ],
  [
    'own new fields',
    { language: 'de', featuredImageAlt: 'A: b' },
    { 'lines\n': 'lines\nlanguage: de\nfeaturedImageAlt: "A: b"\n' },
  ],
]);

writes(OWN.replace('tags:\n  - ink\n', ''), [
  ['own new tags', { tags: ['a', '- b'] }, { 'lines\n': 'lines\ntags:\n  - a\n  - "- b"\n' }],
]);

writes('\uFEFFWords.\r\n', [
  ['a text without front matter', { title: 'Ink' }, { 'Words.\r\n': '---\r\ntitle: Ink\r\n---\r\n\r\nWords.\r\n' }],
]);

it('creates front matter in an empty file', () => {
  expect(patch('', { title: 'Ink', tags: ['a'] })).toBe('---\ntitle: Ink\ntags: [a]\n---\n');
});

it.each([
  ['already reads as asked', HUGO, { title: "The Ink's Tale", status: 'inactive', language: '' }],
  ['has a date that has passed', ASTRO, { status: 'active', publishAt: '' }],
] as const)('leaves a file that %s', (_, text, changes) => expect(patch(text, changes)).toBe(text));

describe('unscheduling', () => {
  const scheduled = yaml('title: T\ndate: 2999-01-01\n');
  it('makes a draft of a post with a date to come', () =>
    expect(patch(scheduled, { publishAt: undefined })).toBe(yaml('title: T\ndate: 2999-01-01\ndraft: true\n')));
  it('removes a publishDate', () =>
    expect(patch(yaml('title: T\npublishDate: 2999-01-01\n'), { publishAt: '', status: 'active' })).toBe(
      yaml('title: T\n'),
    ));
  it('cannot publish a post with a date to come', () =>
    expect(patch(scheduled, { publishAt: '', status: 'active' })).toBeUndefined());
});

const REFUSED: readonly (readonly [string, string, FieldChanges, Partial<PatchOptions>?])[] = [
  ['an anchor', yaml('title: &t Ink\ndescription: *t\n'), { title: 'T' }],
  ['an alias', yaml('title: &t Ink\ndescription: *t\n'), { excerpt: 'T' }],
  ['a tag of YAML', yaml('title: !!str Ink\n'), { title: 'T' }],
  ['a duplicate key', yaml('title: a\ntitle: b\n'), { title: 'T' }],
  ['several documents', yaml('title: a\n...\ntitle: b\n'), { title: 'T' }],
  ['a flow map', yaml('{title: a, tags: [b]}\n'), { tags: [] }],
  ['a flow list with comments', yaml('tags: [a, # first\n  b]\n'), { tags: ['a'] }],
  ['an inline table', toml('cover = { image = "a.png" }\n'), { featuredImage: 'x' }, { imagePath: 'b.png' }],
  ['a picture without a path', ASTRO, { featuredImage: 'x' }],
  ['an emptied title', ASTRO, { title: '' }],
  ['a title that is a heading', yaml('lang: en\n', '\n# Ink\n'), { title: 'T' }],
  ['a featured image that is the first of the text', yaml('title: T\n', '\n![](a.png)\n'), { featuredImage: '' }],
  ['an excerpt that is read as Markdown', ASTRO, { excerpt: 'Vec<T> of `ink`' }],
  ['a kind that only own exports have', ASTRO, { kind: 'page-with-byline' }],
  ['tags in two lists', yaml('tags: [a]\ntaxonomies:\n  tags: [b]\n'), { tags: ['c'] }],
  ['a second status', yaml('draft: true\nstatus: private\n'), { status: 'active' }],
  ['a folder of drafts', yaml('title: T\n'), { status: 'active' }, { path: '_drafts/t.md' }],
  ['damaged front matter', yaml('title: "a\n'), { title: 'T' }],
];

for (const [name, text, changes, options] of REFUSED)
  it(`does not write over ${name}`, () => expect(patch(text, changes, options)).toBeUndefined());

it('leaves anchors of other fields', () =>
  expect(patch(yaml('base: &b {x: 1}\nmore:\n  <<: *b\ntitle: a\n'), { title: 'T' })).toBe(
    yaml('base: &b {x: 1}\nmore:\n  <<: *b\ntitle: T\n'),
  ));

describe('conflict comments', () => {
  test.each([
    ['title', HUGO, 'a\n"b"', '# shown twice\n', '# <<<<<<< blog: title: "a\\n\\"b\\""\n'],
    ['tags', OBSIDIAN, ['a', 'b'], '  - pens\n', '# <<<<<<< blog: tags: ["a","b"]\n'],
    ['excerpt', HUGO, 'E', 'of a summary\n', '# <<<<<<< blog: excerpt: "E"\n'],
    ['featuredImage', HUGO, 'id', '# relative\n', '# <<<<<<< blog: featuredImage: "id"\n'],
    ['tags', HUGO_TOML, ['a'], '"ink",\n]\n', '# <<<<<<< blog: tags: ["a"]\n'],
    ['language', JEKYLL, 'de', '<!--more-->\r\n', '# <<<<<<< blog: language: "de"\r\n'],
    ['excerpt', OWN, 'E', '"Of: ink"\n', '# <<<<<<< blog: excerpt: "E"\n'],
  ] as const)('stand below the lines of %s, and go', (name, text, value, above, line) => {
    const commented = conflictComment(text, name, value) ?? '';
    expect(commented).toBe(replaced(text, { [above]: above + line }));
    expect(conflictComment(commented, name, value)).toBe(commented);
    expect(conflictsIn(commented)).toEqual([name]);
    expect(withoutConflictComments(commented, name)).toBe(text);
    expect(withoutConflictComments(commented, 'kind')).toBe(commented);
  });

  it('are not written into JSON, nor found in the text', () => {
    expect(conflictComment(HUGO_JSON, 'title', 'T')).toBeUndefined();
    const text = yaml('title: T\n', '\n# <<<<<<< blog: title: "x"\n');
    expect(conflictsIn(HUGO_JSON)).toEqual([]);
    expect(conflictsIn(text)).toEqual([]);
    expect(withoutConflictComments(text, 'title')).toBe(text);
  });
});
