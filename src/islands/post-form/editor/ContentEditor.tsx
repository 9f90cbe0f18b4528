/** The editor as the post form has it: toolbar, page, bubbles, count. Loaded by itself, because it weighs as much as all else. */

import '#styles/prose.css';
import './editor.css';
import type { Command } from '@milkdown/kit/prose/state';
import { Milkdown, MilkdownProvider } from '@milkdown/react';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { readingMinutes } from '#blog/content/words.ts';
import { editorText } from '#blog/editor-text.ts';
import { Beside } from './Beside.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { FindPanel } from './FindPanel.tsx';
import { Floating } from './Floating.tsx';
import { LatePanel } from './LatePanel.tsx';
import { pickPictures } from './pick-pictures.ts';
import { insertPictures, showUndescribed, undescribed } from './pictures.ts';
import { SlashMenu } from './SlashMenu.tsx';
import { Toolbar } from './Toolbar.tsx';
import { createTextSource } from './text-source.ts';
import { isPart, type Tool } from './tools.ts';
import { obstacle } from './tray.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useKeyboardDock } from './use-keyboard-dock.ts';
import { usePanels } from './use-panels.ts';
import { usePart } from './use-part.ts';
import { usePictures } from './use-pictures.ts';
import { useSlashMenu } from './use-slash-menu.ts';
import { type Live, useTextView } from './use-text-view.ts';

export { readyFor } from './long-text.ts';

export interface EditorHandle {
  /** Stored HTML. A text that was not changed is given back to the letter. `whole` as in `text-source.ts`. */
  html(whole?: boolean): string;
  replace(html: string): void;
  focus(): void;
  /** When no picture is being uploaded any more: what still stands in the way of saving, in words. */
  settled(): Promise<string | undefined>;
  /** How many pictures have no description. */
  undescribed(): number;
  /** Goes to the first of them. */
  describe(): void;
}

export interface ContentEditorProps {
  readonly ref: Ref<EditorHandle>;
  /** Stored HTML. */
  readonly initial: string;
  /** Owner of the pictures that are put in. */
  readonly userId: string;
  readonly invalid: boolean;
  /** Nothing can be written; what stands in the text has its own buttons. */
  readonly frozen: boolean;
  readonly onChange: () => void;
  /** Beside the word count. */
  readonly note: ReactNode;
  /** Between the text and the word count: they take their room from the text, so that nothing else moves. */
  readonly notices: ReactNode;
}

export function ContentEditor(props: ContentEditorProps) {
  return (
    <MilkdownProvider>
      <Page {...props} />
    </MilkdownProvider>
  );
}

function Page({ ref, initial, userId, invalid, frozen, onChange, note, notices }: ContentEditorProps) {
  const [linking, setLinking] = useState(false);
  const [said, setSaid] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const origin = useRef(initial);
  const pictures = usePictures(userId, setSaid);
  const [source] = useState(createTextSource);
  const live = useRef<Live>({ onChange, press: () => false, link: () => {}, follow: true });
  const text = useTextView({ origin, live, pictures: pictures.plugin, invalid, frozen });
  const { view, snapshot, slash, focused, words } = text;
  const panels = usePanels({ view, source, pictures, announce: setSaid });
  const { open } = panels;
  const menu = useSlashMenu({
    ...{ view, slash, focused, announce: setSaid },
    onChoose: ({ command }) => (command ? run(command) : pick()),
  });
  const askForLink = () => {
    if (view) setLinking(true);
  };
  // Parts that show the text itself follow each letter.
  live.current = { onChange, press: menu.press, link: askForLink, follow: open.size > 0 || linking };
  useEffect(() => {
    if (view) source.given(view, origin.current);
  }, [view, source]);

  useImperativeHandle(ref, () => ({
    html: (whole) => (view ? source.html(view, whole) : origin.current),
    replace: (html) => {
      if (view) source.replace(view, html);
      else origin.current = html;
    },
    focus: () => view?.focus(),
    settled: async () => {
      if (view) source.apply(view);
      return obstacle(await pictures.tray.settled());
    },
    undescribed: () => (view ? undescribed(view.state.doc) : 0),
    describe: () => {
      panels.close('source');
      if (view) showUndescribed(view);
    },
  }));

  const run = (command: Command) => {
    if (!view) return;
    command(view.state, view.dispatch, view);
    if (!frame.current?.querySelector('.editor-bubble')?.contains(document.activeElement)) view.focus();
  };
  const leave = () => {
    setLinking(false);
    view?.focus();
  };
  const pick = () =>
    pickPictures((files) => {
      if (view) void insertPictures(view, pictures.tray, files).then(() => view.focus());
    });
  const use = ({ act }: Tool) => {
    if (act === 'link') askForLink();
    else if (act === 'picture') pick();
    else if (!isPart(act)) run(act);
    else panels.change(act, !open.has(act));
  };
  const Find = usePart(open.has('find'), () => import('./FindBar.tsx'), 'FindBar');
  const Headings = usePart(open.has('outline'), () => import('./Outline.tsx'), 'Outline');
  const Source = usePart(open.has('source'), () => import('./source/SourceView.tsx'), 'SourceView');
  useFullScreen(frame, open.has('full'));
  useKeyboardDock(frame, focused);

  const inside = frame.current?.contains(document.activeElement) && document.activeElement !== document.body;
  const elsewhere = document.activeElement?.closest('.editor-find, .editor-outline, .editor-source, .editor-notices');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is one field and its tools.
    <div
      ref={frame}
      role="group"
      aria-labelledby="content-label"
      className={open.has('full') ? 'text-editor text-editor-full' : 'text-editor'}
      onKeyDown={(event) => panels.press(event, Boolean(slash))}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setLinking(false);
          text.setFocused(false);
        }
      }}
      onFocus={() => view && text.setFocused(view.hasFocus())}
    >
      <div className="editor-head" inert={frozen}>
        <Toolbar snapshot={snapshot} open={open} onTool={use} onLeave={leave} />
        {view && open.has('find') && !open.has('source') && (
          <FindPanel
            {...{ late: Find, view, asked: panels.asked, announce: setSaid }}
            onClose={() => panels.close('find')}
          />
        )}
      </div>
      <div className="editor-stage">
        {view && open.has('source') && (
          <LatePanel
            as="section"
            label={editorText.source}
            className="editor-source"
            again={Source.again}
            onEscape={Source.Part ? undefined : () => panels.close('source')}
          >
            {Source.Part && (
              <Source.Part ref={source.ref} initial={panels.sourceStart} frozen={frozen} onChange={onChange} />
            )}
          </LatePanel>
        )}
        <div className="editor-body" hidden={open.has('source')}>
          <Milkdown />
          {view && open.has('outline') && (
            <LatePanel
              as="nav"
              label={editorText.outline}
              className="editor-outline"
              again={Headings.again}
              onEscape={() => panels.close('outline')}
            >
              {Headings.Part && (
                <Headings.Part view={view} state={view.state} onClose={() => panels.close('outline')} />
              )}
            </LatePanel>
          )}
        </div>
        <div className="editor-notices" inert={frozen}>
          {pictures.underway && <p className="editor-underway">{pictures.underway}</p>}
          {pictures.unsent && <p className="text-danger">{pictures.unsent}</p>}
          {view && pictures.foreign.length > 0 && <Elsewhere view={view} pictures={pictures} />}
          {notices}
        </div>
        <p role="alert" className="editor-fault">
          {pictures.fault}
        </p>
        <footer className="editor-foot">
          <span>
            {words !== undefined && `${editorText.length(words)} · ${editorText.minutes(readingMinutes(words))}`}
          </span>
          <span role="status">{note}</span>
        </footer>
      </div>
      {view && !frozen && (focused || inside) && !elsewhere && (
        <Beside view={view} frame={frame} snapshot={snapshot} linking={linking} run={run} onLeave={leave} />
      )}
      {view && !frozen && menu.isOpen && slash && (
        <Floating view={view} frame={frame} pos={slash.from}>
          <SlashMenu items={menu.items} active={menu.active} onChoose={menu.choose} />
        </Floating>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
