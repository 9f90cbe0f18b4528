/** The content's place in the form: the editor arrives here when it has been loaded. */

import { type ComponentType, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Spinner } from '#components/Spinner.tsx';
import type { ContentEditorProps, EditorHandle } from './editor/ContentEditor.tsx';

export interface ContentHandle {
  /** Stored HTML, as it stands. */
  html(): string;
  replace(html: string): void;
  focus(): void;
  /** When no picture is on its way any more. */
  settled(): Promise<void>;
}

interface ContentFieldProps {
  readonly ref: Ref<ContentHandle>;
  /** Stored HTML. */
  readonly initial: string;
  readonly userId: string;
  readonly error: string | undefined;
  readonly onChange: () => void;
  /** Beside the word count. */
  readonly note: ReactNode;
}

export function ContentField({ ref, initial, userId, error, onChange, note }: ContentFieldProps) {
  const [Editor, setEditor] = useState<ComponentType<ContentEditorProps>>();
  const [start, setStart] = useState(initial);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorHandle>(null);

  useEffect(() => {
    import('./editor/ContentEditor.tsx').then(
      (module) => setEditor(() => module.ContentEditor),
      // The page reloads once, then says in this place what is wrong.
      () => place.current?.dispatchEvent(new Event('common-ink:load-failed', { bubbles: true })),
    );
  }, []);

  useImperativeHandle(ref, () => ({
    html: () => editor.current?.html() ?? start,
    replace: (html) => (editor.current ? editor.current.replace(html) : setStart(html)),
    focus: () => editor.current?.focus(),
    settled: async () => editor.current?.settled(),
  }));

  return (
    <div className="min-w-0">
      <span id="content-label" className="mb-1.5 block text-sm font-medium">
        {postFormText.content}
      </span>
      <div ref={place} className="min-h-[34rem]">
        {Editor ? (
          <Editor
            ref={editor}
            initial={start}
            userId={userId}
            invalid={Boolean(error)}
            onChange={onChange}
            note={note}
          />
        ) : (
          <Spinner label={postFormText.loading} />
        )}
      </div>
      <p id="content-error" aria-live="polite" className="mt-1.5 min-h-5 text-xs text-danger">
        {error}
      </p>
    </div>
  );
}
