/** The search while its part of the editor is on its way: a field that takes what is typed, so that the text does not. */

import { useEffect, useRef } from 'react';
import { editorText } from '#blog/editor-text.ts';

interface EarlyFindProps {
  readonly value: string;
  readonly onType: (value: string) => void;
  readonly onClose: () => void;
}

export function EarlyFind({ value, onType, onClose }: EarlyFindProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <search
      aria-label={editorText.findLabel}
      aria-busy="true"
      className="editor-find"
      onChange={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="editor-find-row">
        <input
          ref={input}
          aria-label={editorText.findLabel}
          value={value}
          placeholder={editorText.findLabel}
          autoComplete="off"
          dir="auto"
          className="editor-input"
          onChange={(event) => onType(event.currentTarget.value)}
        />
      </div>
    </search>
  );
}
