import { postFormText } from '#blog/messages.ts';
import { Spinner } from '#components/controls/Spinner.tsx';
import { TryAgain, useLazyComponent } from '../../lazy/lazy-part.tsx';
import type { ContentEditorProps } from '../editor/ContentEditor.tsx';

let loaded: typeof import('../editor/ContentEditor.tsx') | undefined;

/** Loads the editor. Pages call it early, because the editor makes up half of their JavaScript. */
export async function loadEditor() {
  loaded = await import('../editor/ContentEditor.tsx');
  return loaded;
}

type ContentFieldProps = Omit<ContentEditorProps, 'invalid'> & { readonly error: string | undefined };

export function ContentField({ error, ...editor }: ContentFieldProps) {
  const { Component, retry } = useLazyComponent(!loaded, loadEditor, 'ContentEditor');
  const Editor = loaded?.ContentEditor ?? Component;
  return (
    <div className="form-content min-w-0">
      <span id="content-label" className="mb-1.5 block text-sm font-medium">
        {postFormText.content}
      </span>
      {Editor ? (
        <Editor {...editor} invalid={Boolean(error)} />
      ) : (
        <div className="min-h-[34rem]">
          {(retry && (
            <>
              <TryAgain onAgain={retry} />
              <div className="mt-3 grid gap-3" inert={editor.frozen}>
                {editor.notices}
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
