/** Splits HTML into the tokens that are compared between versions: words, spaces, line breaks, pictures and notes. */

export interface Token {
  readonly kind: 'word' | 'space' | 'break' | 'picture' | 'note';
  /** The word, white space, note or picture description; for a break, the marker of the new line, such as a bullet. */
  readonly text: string;
  /** Sorted names of the surrounding marks, such as `em strong`. */
  readonly marks: string;
  /** Other text that is compared but not shown: the URL, title and size of a picture. */
  readonly more: string;
  readonly src?: string;
  readonly depth?: number;
}

export const keyOfToken = ({ kind, text, marks, more }: Token): string => [kind, text, marks, more].join('\u0000');

const MARKS = new Set(['strong', 'em', 'del', 'u', 'sub', 'sup', 'mark', 'code', 'a']);
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

export function tokensOf(nodes: readonly Node[]): Token[] {
  const writer = new TokenWriter();
  for (const node of nodes) writer.take(node);
  return writer.tokens;
}

export function wordsOf(text: string): Token[] {
  const writer = new TokenWriter();
  writer.words(text);
  return writer.tokens;
}

class TokenWriter {
  readonly tokens: Token[] = [];
  #marks: readonly string[] = [];
  #depth = 0;
  #fresh = true;

  take(node: Node): void {
    if (node instanceof Text) this.words(node.data, Boolean(node.parentElement?.closest('pre')));
    if (!(node instanceof Element)) return;
    const tag = node.tagName.toLowerCase();
    if (tag === 'img') this.#picture(node);
    else if (tag === 'br' || tag === 'hr') this.#add('break', tag === 'hr' ? '———' : '');
    else this.#element(node, tag);
  }

  words(text: string, asItIs = false): void {
    const flat = asItIs ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
    for (const [at, line] of (asItIs ? flat.split('\n') : [flat]).entries()) {
      if (at > 0) this.#add('break', '');
      for (const { segment } of segmenter.segment(line)) {
        const isSpace = /^\s+$/.test(segment);
        if (isSpace && this.#fresh && !asItIs) continue;
        this.#add(isSpace ? 'space' : 'word', segment);
      }
    }
  }

  #element(element: Element, tag: string): void {
    const isNested = tag === 'li' || tag === 'blockquote';
    if (isNested) this.#depth += 1;
    if (tag === 'li') this.#line(bulletOf(element));
    else if (LINES.has(tag)) this.#line('');
    else if (/^t[dh]$/.test(tag) && element.previousElementSibling) this.#add('word', '\u2002│\u2002');
    const form = formOf(element, tag);
    if (form) this.#add('note', form);
    const before = this.#marks;
    const mark = tag === 'th' ? 'strong' : tag;
    if (MARKS.has(mark)) this.#marks = [...before, mark].toSorted();
    for (const child of element.childNodes) this.take(child);
    this.#marks = before;
    if (isNested) this.#depth -= 1;
    // Adds the link's URL as a note, so that a change to the URL alone is visible.
    const address = [element.getAttribute('href') ?? '', element.getAttribute('title')].filter(Boolean).join(', ');
    if (tag === 'a') this.#add('note', `(${address})`);
  }

  #picture(image: Element): void {
    const [src = '', text = '', ...rest] = ['src', 'alt', 'title', 'width', 'height'].map(
      (name) => image.getAttribute(name) ?? '',
    );
    this.tokens.push({ kind: 'picture', text, marks: this.#marks.join(' '), more: [src, ...rest].join(' '), src });
    this.#fresh = false;
  }

  #line(text: string): void {
    if (text || !this.#fresh) this.#add('break', text);
  }

  #add(kind: Token['kind'], text: string): void {
    const depth = kind === 'break' && this.#depth > 0 ? { depth: this.#depth } : {};
    this.tokens.push({ kind, text, marks: kind === 'break' ? '' : this.#marks.join(' '), more: '', ...depth });
    this.#fresh = kind === 'break' || (kind === 'note' && this.#fresh);
  }
}

const LINES = new Set(
  'p h1 h2 h3 h4 h5 h6 pre blockquote ul ol table caption tr figure figcaption section div'.split(' '),
);

function bulletOf(item: Element): string {
  const checked = item.getAttribute('data-checked');
  if (checked !== null) return checked === 'true' ? '☑' : '☐';
  const list = item.parentElement;
  if (list?.tagName !== 'OL') return '•';
  return `${[...list.children].indexOf(item) + Number(list.getAttribute('start') ?? 1)}.`;
}

function formOf(element: Element, tag: string): string | undefined {
  if (/^h\d$/.test(tag)) return `[H${tag.slice(1)}]`;
  if (tag === 'blockquote') return '[“ ”]';
  if (tag === 'pre') {
    const language = element.querySelector('code')?.className.replace(/^language-/, '');
    return `[</>${language ? ` ${language}` : ''}]`;
  }
  return undefined;
}
