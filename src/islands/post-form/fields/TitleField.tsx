/** The title field, in the size of the published title. Enter moves to the content. */

import type { FocusEvent } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Field } from '#components/controls/Field.tsx';
import { isComposing } from '../is-composing.ts';

interface TitleFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly frozen: boolean;
  readonly onChange: (title: string) => void;
  readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  readonly onEnter: () => void;
}

export function TitleField({ value, error, frozen, onChange, onBlur, onEnter }: TitleFieldProps) {
  return (
    <Field label={postFormText.title} error={error}>
      {(wiring) => (
        <textarea
          {...wiring}
          name="title"
          rows={1}
          readOnly={frozen}
          value={value}
          // Removes line breaks of a pasted title.
          onChange={(event) => onChange(event.currentTarget.value.replace(/\s*\n\s*/g, ' '))}
          onBlur={onBlur}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event)) return;
            event.preventDefault();
            onEnter();
          }}
          placeholder={postFormText.titleExample}
          dir="auto"
          className="block w-full resize-none wrap-anywhere field-sizing-content border-0 border-b border-hairline bg-transparent pt-[0.3em] pb-3 font-serif text-4xl font-medium tracking-tight text-ink placeholder:text-soft/70 focus-visible:border-accent focus-visible:outline-none aria-invalid:border-danger"
        />
      )}
    </Field>
  );
}
