/** The content's place in the form: the editor arrives here when it has been loaded. */

import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { postFormText } from '#blog/messages.ts';
import { Spinner } from '#components/Spinner.tsx';
import type { EditorHandle } from './editor/ContentEditor.tsx';
import { usePart } from './editor/use-part.ts';
import { TryAgain } from './TryAgain.tsx';

export interface ContentHandle {
  /** Stored HTML, as it stands. `whole`: with pictures that are not uploaded yet, by addresses of this page. */
  html(whole?: boolean): string;
  replace(html: string): void;
  focus(): void;
  /** When no picture is on its way any more: what still stands in the way of saving, in words. */
  settled(): Promise<string | undefined>;
  /** How many pictures have no description. */
  undescribed(): number;
  /** Goes to the first of them. */
  describe(): void;
}

interface ContentFieldProps {
  readonly ref: Ref<ContentHandle>;
  /** Stored HTML. */
  readonly initial: string;
  readonly userId: string;
  readonly error: string | undefined;
  /** The text is being sent: it can be read, and pictures on their way stopped, nothing else. */
  readonly frozen: boolean;
  readonly onChange: () => void;
  /** Beside the word count. */
  readonly note: ReactNode;
  /** Said by itself while the text is written. */
  readonly notices: ReactNode;
}

let loaded: typeof import('./editor/ContentEditor.tsx') | undefined;

/** The editor's part of the page. Whoever knows early that it will be needed asks early: it weighs as much as all else. */
export async function loadEditor() {
  loaded = await import('./editor/ContentEditor.tsx');
  return loaded;
}

export function ContentField({ ref, initial, userId, error, frozen, onChange, note, notices }: ContentFieldProps) {
  const { Part, again } = usePart(!loaded, loadEditor, 'ContentEditor');
  const Editor = loaded?.ContentEditor ?? Part;
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
    <div className="min-w-0">
      <span id="content-label" className="mb-1.5 block text-sm font-medium">
        {postFormText.content}
      </span>
      {Editor ? (
        <Editor
          ref={editor}
          initial={start}
          userId={userId}
          invalid={Boolean(error)}
          frozen={frozen}
          onChange={onChange}
          note={note}
          notices={notices}
        />
      ) : (
        <div className="min-h-[34rem]">
          {(again && (
            <>
              <TryAgain onAgain={again} />
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
