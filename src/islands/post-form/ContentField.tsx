/** The content's place in the form: the editor arrives here when it has been loaded. */

import { type ComponentType, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { listText, postFormText, routeErrorText } from '#blog/messages.ts';
import { Button } from '#components/Button.tsx';
import { Spinner } from '#components/Spinner.tsx';
import type { ContentEditorProps, EditorHandle } from './editor/ContentEditor.tsx';

export interface ContentHandle {
  /** Stored HTML, as it stands. */
  html(): string;
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
}

/** The editor's part of the page. Whoever knows early that it will be needed asks early: it weighs as much as all else. */
export const loadEditor = () => import('./editor/ContentEditor.tsx');

export function ContentField({ ref, initial, userId, error, frozen, onChange, note }: ContentFieldProps) {
  const [Editor, setEditor] = useState<ComponentType<ContentEditorProps>>();
  const [start, setStart] = useState(initial);
  const [failed, setFailed] = useState(false);
  const editor = useRef<EditorHandle>(null);

  useEffect(() => {
    loadEditor().then(
      (module) => {
        setEditor(() => module.ContentEditor);
        forgetReload();
      },
      (error: unknown) => {
        console.error('The editor could not be loaded:', error);
        if (firstFailure()) location.reload();
        else setFailed(true);
      },
    );
  }, []);

  useImperativeHandle(ref, () => ({
    html: () => editor.current?.html() ?? start,
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
      <div className="min-h-[34rem]">
        {failed && <Unavailable />}
        {Editor ? (
          <Editor
            ref={editor}
            initial={start}
            userId={userId}
            invalid={Boolean(error)}
            frozen={frozen}
            onChange={onChange}
            note={note}
          />
        ) : (
          !failed && <Spinner label={postFormText.loading} />
        )}
      </div>
      <p id="content-error" aria-live="polite" className="mt-1.5 min-h-5 text-xs text-danger">
        {error}
      </p>
    </div>
  );
}

/** The editor's part of the page did not come, twice. */
function Unavailable() {
  return (
    <div role="alert" className="rounded-md bg-well px-4 py-16 text-center">
      <p className="text-xl">{routeErrorText.unexpected}</p>
      <p className="mt-3 mb-6 text-base text-soft">{postFormText.editorNotLoaded}</p>
      <Button tone="quiet" onClick={() => location.reload()}>
        {listText.retry}
      </Button>
    </div>
  );
}

/** A new version of the site takes the old parts away: one reload fetches the new ones. More would never end. */
const RELOADED = 'common-ink:reloaded-for-editor';

function firstFailure(): boolean {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, '1');
    return true;
  } catch {
    return false;
  }
}

function forgetReload(): void {
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // Then nothing was kept either.
  }
}
