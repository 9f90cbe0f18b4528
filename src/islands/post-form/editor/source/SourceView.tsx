import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { versionText } from '#blog/messages/versions.ts';
import { type Judgement, judge, type Loss } from './lost-markup.ts';

export interface SourceHandle {
  /** Returns the sanitised HTML, or the given HTML if the source is unchanged. */
  html(): string;
  changed(): boolean;
  replace(html: string): void;
}

export interface SourceViewProps {
  readonly ref: Ref<SourceHandle>;
  readonly initial: string;
  readonly frozen: boolean;
  readonly onChange: () => void;
}

/** Milliseconds from the last keystroke until the source is checked. */
const PAUSE_MS = 400;

export function SourceView({ ref, initial, frozen, onChange }: SourceViewProps) {
  const [{ given, text }, setShown] = useState(() => opened(initial));
  const [judgement, setJudgement] = useState<Judgement>();
  const field = useRef<HTMLTextAreaElement>(null);
  const now = useRef({ given, text });
  const show = (next: typeof now.current) => {
    now.current = next;
    setShown(next);
  };

  useImperativeHandle(ref, () => ({
    html: () => {
      const { given: from, text: shown } = now.current;
      return shown === from.shown ? from.html : judge(from.stored(shown)).clean;
    },
    changed: () => now.current.text !== now.current.given.shown,
    replace: (html) => show(opened(html)),
  }));
  useLayoutEffect(() => field.current?.setSelectionRange(0, 0), []);
  useEffect(() => {
    if (text === given.shown) return setJudgement(undefined);
    const timer = setTimeout(() => setJudgement(judge(given.stored(text))), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, given]);

  return (
    <>
      <textarea
        ref={field}
        aria-label={versionText.source}
        aria-describedby="source-losses"
        readOnly={frozen}
        value={text}
        onChange={(event) => {
          show({ given, text: event.currentTarget.value });
          onChange();
        }}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        className="min-h-0 w-full resize-none px-5 py-4 font-mono text-sm/[1.6] wrap-anywhere focus-visible:-outline-offset-2"
      />
      <p
        id="source-losses"
        role="status"
        className="max-h-32 overflow-auto border-t border-hairline bg-well px-5 py-2 text-sm text-ink"
      >
        {judgement ? verdict(judgement) : versionText.sourceHelp}
      </p>
    </>
  );
}

function opened(html: string) {
  const given = { html, ...sourceOf(html) };
  return { given, text: given.shown };
}

function verdict({ losses }: Judgement): string {
  if (losses.length === 0) return versionText.sourceKept;
  return `${versionText.sourceLost} ${losses.map(named).join('; ')}.`;
}

function named({ kind, name, element = '', count }: Loss): string {
  const times = count === 1 ? '' : ` (${count}×)`;
  if (kind === 'comment') return name + times;
  if (kind === 'attribute') return versionText.loss.attribute({ name, element }) + times;
  return versionText.loss[kind]({ name: name + times });
}

const BETWEEN = /(<\/(?:p|h[1-6]|ul|ol|li|blockquote|table|thead|tbody|tr|figure|pre|section)>|<hr>)(\n?)(?=<)/g;

/**
 * Returns the HTML for display and a function that converts it back to the stored form. Adds line breaks between
 * blocks, unless the HTML already has line breaks between tags.
 */
export function sourceOf(html: string): { readonly shown: string; readonly stored: (shown: string) => string } {
  if (/>\n</.test(html)) return { shown: html, stored: (shown) => shown };
  return { shown: html.replace(BETWEEN, '$1\n'), stored: (shown) => shown.replace(BETWEEN, '$1') };
}
