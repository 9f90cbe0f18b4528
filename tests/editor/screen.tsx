import { createRef } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { ContentEditor, type EditorHandle } from '../../src/islands/post-form/editor/ContentEditor.tsx';

declare global {
  interface Window {
    /** Shows `html` in an editor; `early` replaces it before the editor is ready. Resolves once typing is accepted. */
    show(html: string, language?: string, early?: string): Promise<void>;
    shown(): string;
    changes: number;
  }
}

const editor = createRef<EditorHandle>();
let mounted: Root | undefined;

Object.assign(window, {
  show(html: string, language = '', early?: string) {
    mounted?.unmount();
    window.changes = 0;
    const root = document.createElement('div');
    document.body.replaceChildren(root);
    const created = createRoot(root);
    mounted = created;
    const screen = (
      <>
        <span id="content-label">Content</span>
        <ContentEditor
          ref={editor}
          initial={html}
          userId="me"
          language={language}
          invalid={false}
          frozen={false}
          onChange={() => {
            window.changes += 1;
          }}
          note=""
          notices={null}
        />
      </>
    );
    flushSync(() => created.render(screen));
    if (early !== undefined) editor.current?.replace(early);
    return new Promise<void>((resolve) => {
      const look = () => (document.querySelector('.ProseMirror') ? resolve() : requestAnimationFrame(look));
      look();
    });
  },
  shown: () => editor.current?.html() ?? '',
});
