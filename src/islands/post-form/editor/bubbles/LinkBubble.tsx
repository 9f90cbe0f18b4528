import { useEffect, useId, useRef, useState } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import { linkAddress, removeLink, setLink } from '../commands/text-commands.ts';
import type { Snapshot } from '../editor-state.ts';
import { BubbleButton, BubbleForm, type BubbleProps } from './BubbleForm.tsx';

interface LinkBubbleProps extends BubbleProps {
  readonly link: NonNullable<Snapshot['link']>;
  readonly asked: boolean;
}

export function LinkBubble({ link, asked, run, onLeave }: LinkBubbleProps) {
  const [typed, setTyped] = useState(link.href);
  const [wrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (!asked) return;
    input.current?.focus();
    input.current?.select();
  }, [asked]);

  const apply = () => {
    const href = linkAddress(typed);
    setWrong(!href);
    if (!href) return input.current?.focus();
    run(setLink(href, link));
    onLeave();
  };
  return (
    <BubbleForm label={editorText.link} onEnter={apply} onLeave={onLeave}>
      <label htmlFor={id} className="sr-only">
        {editorText.address}
      </label>
      <input
        ref={input}
        id={id}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        placeholder="https://…"
        inputMode="url"
        autoComplete="off"
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        className="editor-input"
      />
      <BubbleButton name={editorText.setLink} icon="check" onClick={apply} />
      {link.href && <BubbleButton name={editorText.removeLink} icon="trash" onClick={() => run(removeLink(link))} />}
      {wrong && (
        <p id={`${id}-error`} role="alert" className="w-full px-1 pb-1 text-xs text-danger">
          {editorText.wrongAddress}
        </p>
      )}
    </BubbleForm>
  );
}
