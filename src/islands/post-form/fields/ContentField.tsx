/** The content field; loads the editor. */

import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { useLazyComponent } from '../../lazy/lazy-part.tsx';
import { TryAgain } from '../../lazy/TryAgain.tsx';
import type { EditorHandle } from '../editor/ContentEditor.tsx';

export interface ContentHandle {
  /** Returns the current HTML. `whole` includes pictures that are not uploaded yet, by object URLs. */
  html(whole?: boolean): string;
  replace(html: string): void;
  focus(): void;
  /** Resolves after all uploads, with the reason why the post cannot be saved, or undefined. */
  settled(): Promise<string | undefined>;
  undescribed(): number;
  describe(): void;
}

interface ContentFieldProps {
  readonly ref: Ref<ContentHandle>;
  /** Stored HTML. */
  readonly initial: string;
  readonly userId: string;
  readonly language: string;
  readonly error: string | undefined;
  /** Set while the post is being sent: the text is read-only, but uploads can be stopped. */
  readonly frozen: boolean;
  readonly onChange: () => void;
  readonly note: ReactNode;
  /** Messages of the form, shown below the text. */
  readonly notices: ReactNode;
}

let loaded: typeof import('../editor/ContentEditor.tsx') | undefined;

/** Loads the editor. Pages call it early, because the editor is half of their script. */
export async function loadEditor() {
  loaded = await import('../editor/ContentEditor.tsx');
  return loaded;
}

export function ContentField({
  ref,
  initial,
  userId,
  language,
  error,
  frozen,
  onChange,
  note,
  notices,
}: ContentFieldProps) {
  const { Component, retry } = useLazyComponent(!loaded, loadEditor, 'ContentEditor');
  const Editor = loaded?.ContentEditor ?? Component;
  const [start, setStart] = useState(initial);
  const editor = useRef<EditorHandle>(null);

  useImperativeHandle(ref, () => ({
    html: (whole) => editor.current?.html(whole) ?? start,
    replace: (html) => (editor.current ? editor.current.replace(html) : setStart(html)),
    focus: () => editor.current?.focus(),
    settled: async () => editor.current?.settled(),
    undescribed: () => editor.current?.undescribed() ?? 0,
    describe: () => editor.current?.describe(),
  }));

  return (
    <div className="form-content min-w-0">
      <span id="content-label" className="mb-1.5 block text-sm font-medium">
        {postFormText.content}
      </span>
      {Editor ? (
        <Editor
          ref={editor}
          initial={start}
          userId={userId}
          language={language}
          invalid={Boolean(error)}
          frozen={frozen}
          onChange={onChange}
          note={note}
          notices={notices}
        />
      ) : (
        <div className="min-h-[34rem]">
          {(retry && (
            <>
              <TryAgain onAgain={retry} />
              <div className="mt-3 grid gap-3" inert={frozen}>
                {notices}
              </div>
            </>
          )) || <Spinner label={postFormText.loading} />}
        </div>
      )}
      <p id="content-error" aria-live="polite" className="mt-1.5 min-h-5 text-xs text-danger">
        {error}
      </p>
    </div>
  );
}
