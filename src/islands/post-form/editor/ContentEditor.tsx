import '#styles/prose.css';
import './editor.css';
import type { Command } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { readingMinutes } from '#blog/content/words.ts';
import { editorText } from '#blog/messages/editor.ts';
import { lazyPart, useLazyComponent } from '../../lazy/lazy-part.tsx';
import { BubbleAtCursor } from './bubbles/BubbleAtCursor.tsx';
import { Floating } from './bubbles/Floating.tsx';
import { FindPanel } from './find/FindPanel.tsx';
import { LazyPanel } from './panels/LazyPanel.tsx';
import { useFullScreen, usePanels } from './panels/use-panels.ts';
import { addressesIn } from './pictures/find-pictures.ts';
import { insertPictures, removePicture, showUndescribed, undescribed } from './pictures/picture-plugin.ts';
import { unsentMessage } from './pictures/upload-queue.ts';
import { pickPictures, usePictures } from './pictures/use-pictures.ts';
import { SlashMenu, useSlashMenu } from './slash-menu/SlashMenu.tsx';
import { createCurrentHtml } from './source/current-html.ts';
import { Toolbar, useKeyboardDock } from './toolbar/Toolbar.tsx';
import { isPanel, type Tool } from './toolbar/tools.ts';
import { type EditorCallbacks, useEditorView } from './use-editor-view.ts';

const RemotePictureQuestion = lazyPart(() => import('./pictures/RemotePictureQuestion.tsx'), 'RemotePictureQuestion');

export interface EditorHandle {
  /** Returns the HTML to store. With `whole`, includes pictures that have not been uploaded yet, as object URLs. */
  html(whole?: boolean): string;
  replace(html: string): void;
  focus(): void;
  /** Waits for all uploads, then resolves to the reason why the text cannot be saved, or to undefined if it can. */
  settled(): Promise<string | undefined>;
  undescribed(): number;
  describe(): void;
}

export interface ContentEditorProps {
  readonly ref: Ref<EditorHandle>;
  readonly initial: string;
  readonly userId: string;
  readonly language: string;
  readonly invalid: boolean;
  /** Makes the text read-only; uploads can still be stopped. */
  readonly frozen: boolean;
  readonly onChange: () => void;
  readonly note: ReactNode;
  /** Notices between the text and the word count. They make the text area shorter, so that nothing else moves. */
  readonly notices: ReactNode;
}

export function ContentEditor(props: ContentEditorProps) {
  const { ref, initial, userId, language, invalid, frozen, onChange, note, notices } = props;
  const [linking, setLinking] = useState(false);
  const [said, setSaid] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const [html] = useState(initial);
  /** The HTML of the text, used until the editor has been created. */
  const early = useRef(html);
  const created = useRef<EditorView>(undefined);
  const pictures = usePictures(userId, setSaid);
  const [source] = useState(createCurrentHtml);
  const live = useRef<EditorCallbacks>({ onChange, press: () => false, link: () => {}, language, follow: true });
  const text = useEditorView({
    ...{ html, live, pictures: pictures.plugin, invalid, frozen },
    onCreated: (now) => {
      created.current = now;
      source.given(now, html);
      if (early.current !== html) source.replace(now, early.current);
    },
  });
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
  // With `follow`, the editor renders after each keystroke, because open panels show the current text.
  live.current = { onChange, press: menu.press, link: askForLink, language, follow: open.size > 0 || linking };

  useImperativeHandle(ref, () => ({
    html: (whole) => (created.current ? source.html(created.current, whole) : early.current),
    replace: (next) => {
      if (created.current) source.replace(created.current, next);
      else early.current = next;
    },
    focus: () => view?.focus(),
    settled: async () => {
      if (view) source.apply(view);
      return unsentMessage(await pictures.queue.settled());
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
      if (view) void insertPictures(view, pictures.queue, files).then(() => view.focus());
    });
  const use = ({ act }: Tool) => {
    if (act === 'link') askForLink();
    else if (act === 'picture') pick();
    else if (!isPanel(act)) run(act);
    else panels.change(act, !open.has(act));
  };
  const remote = view ? pictures.remote.filter((address) => addressesIn(view.state.doc).has(address)) : [];
  const Find = useLazyComponent(open.has('find'), () => import('./find/FindBar.tsx'), 'FindBar');
  const Headings = useLazyComponent(open.has('outline'), () => import('./panels/Outline.tsx'), 'Outline');
  const Source = useLazyComponent(open.has('source'), () => import('./source/SourceView.tsx'), 'SourceView');
  useFullScreen(frame, open.has('full'), () => panels.change('full', false));
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
          <LazyPanel
            as="section"
            label={editorText.source}
            className="editor-source grid min-h-0 flex-[1_1_0] grid-rows-[1fr_auto]"
            retry={Source.retry}
            onEscape={Source.Component ? undefined : () => panels.close('source')}
          >
            {Source.Component && (
              <Source.Component ref={source.ref} initial={panels.sourceStart} frozen={frozen} onChange={onChange} />
            )}
          </LazyPanel>
        )}
        <div className="editor-body" hidden={open.has('source')}>
          <div ref={text.root} data-milkdown-root />
          {view && open.has('outline') && (
            <LazyPanel
              as="nav"
              label={editorText.outline}
              className="editor-outline"
              retry={Headings.retry}
              onEscape={() => panels.close('outline')}
            >
              {Headings.Component && (
                <Headings.Component view={view} state={view.state} onClose={() => panels.close('outline')} />
              )}
            </LazyPanel>
          )}
        </div>
        <div className="editor-notices" inert={frozen}>
          {pictures.underway && <p className="editor-underway">{pictures.underway}</p>}
          {pictures.unsent && <p className="text-danger">{pictures.unsent}</p>}
          {view && remote.length > 0 && (
            <RemotePictureQuestion
              {...{ view, queue: pictures.queue, addresses: remote, onAnswer: pictures.decided }}
              remove={(address) => removePicture(view, address)}
            />
          )}
          {notices}
        </div>
        <p
          role="alert"
          className="border-hairline text-sm text-danger not-empty:border-t not-empty:px-4 not-empty:py-2"
        >
          {pictures.fault}
        </p>
        <footer className="editor-foot">
          <span>
            {words !== undefined &&
              `${editorText.length({ count: words })} · ${editorText.minutes({ minutes: readingMinutes(words) })}`}
          </span>
          <span role="status">{note}</span>
        </footer>
      </div>
      {view && !frozen && (focused || inside) && !elsewhere && (
        <BubbleAtCursor view={view} frame={frame} snapshot={snapshot} linking={linking} run={run} onLeave={leave} />
      )}
      {view && !frozen && menu.isOpen && slash && (
        <Floating view={view} frame={frame} pos={slash.from}>
          <SlashMenu {...menu} />
        </Floating>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </div>
  );
}
