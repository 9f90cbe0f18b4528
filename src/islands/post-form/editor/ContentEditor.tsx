/** The editor as the post form has it: toolbar, page, bubbles, count. Loaded by itself, because it weighs as much as all else. */

import '#styles/prose.css';
import './editor.css';
import type { Command } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { Milkdown, MilkdownProvider, useEditor } from '@milkdown/react';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { IMAGE_ACCEPT, imageFault } from '#blog/images.ts';
import { uploadMessage } from '#blog/messages.ts';
import { uploadPicture } from '#stores/media.ts';
import { Beside } from './Beside.tsx';
import { makeEditor } from './create.ts';
import { Floating } from './Floating.tsx';
import { PictureTray, picturePlugin, withoutLocal } from './pictures.ts';
import { ownKeys, placeholder, ticks } from './plugins.ts';
import { SlashMenu, slashOptionId } from './SlashMenu.tsx';
import { matches, type SlashItem, type SlashQuery, slashKeys, slashQuery } from './slash.ts';
import { readStored, writeStored } from './stored.ts';
import { Toolbar } from './Toolbar.tsx';
import { NOTHING, type Snapshot, snapshotOf, watch } from './watch.ts';
import { wordsIn } from './words.ts';

export interface EditorHandle {
  /** Stored HTML. A text that was not changed is given back to the letter. */
  html(): string;
  replace(html: string): void;
  focus(): void;
  /** When no picture is being uploaded any more. */
  settled(): Promise<void>;
}

export interface ContentEditorProps {
  readonly ref: Ref<EditorHandle>;
  /** Stored HTML. */
  readonly initial: string;
  /** Owner of the pictures that are put in. */
  readonly userId: string;
  readonly invalid: boolean;
  readonly onChange: () => void;
  /** Beside the word count. */
  readonly note: ReactNode;
}

export function ContentEditor(props: ContentEditorProps) {
  return (
    <MilkdownProvider>
      <Page {...props} />
    </MilkdownProvider>
  );
}

interface Shown {
  readonly snapshot: Snapshot;
  readonly slash: SlashQuery | undefined;
  readonly focused: boolean;
}

function Page({ ref, initial, userId, invalid, onChange, note }: ContentEditorProps) {
  const [{ snapshot, slash, focused }, setShown] = useState<Shown>({
    snapshot: NOTHING,
    slash: undefined,
    focused: false,
  });
  const [view, setView] = useState<EditorView>();
  const [words, setWords] = useState(0);
  const [fault, setFault] = useState('');
  const [linking, setLinking] = useState(false);
  const [dismissed, setDismissed] = useState<number>();
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  // The text as it was given, and as the editor writes it before anything is changed.
  const origin = useRef({ html: initial, written: '' });
  const tray = useMemo(
    () =>
      new PictureTray({
        faultOf: imageFault,
        upload: async (file, onProgress) => {
          setFault('');
          return (await uploadPicture(file, userId, ({ percent }) => onProgress(percent))).src;
        },
        refuse: setFault,
        messageOf: uploadMessage,
      }),
    [userId],
  );

  const items = slash && slash.from !== dismissed ? matches(slash) : [];
  const menuOpen = focused && items.length > 0;
  // What plugins, made once, call: always the present one.
  const live = useRef({ onChange, press: (_key: string): boolean => false, link: () => {} });
  live.current = { onChange, press: pressInMenu, link: askForLink };

  useEditor(
    (root) =>
      makeEditor({
        root,
        html: origin.current.html,
        attributes: {
          id: 'content-editor',
          class: 'prose editor-page',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': 'content-label',
          'aria-describedby': 'content-error',
        },
        plugins: [
          slashKeys((key) => live.current.press(key)),
          ownKeys(() => live.current.link()),
          picturePlugin(tray),
          placeholder,
          ticks,
          watch((now, textChanged) => {
            setView(now);
            setShown({ snapshot: snapshotOf(now.state), slash: slashQuery(now.state), focused: now.hasFocus() });
            if (textChanged) live.current.onChange();
          }),
        ],
      }),
    [],
  );

  useEffect(() => {
    if (!view) return;
    origin.current.written = writeStored(view.state.doc);
    setWords(wordsIn(view.state.doc));
  }, [view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted anew with the text, which `snapshot` stands for.
  useEffect(() => {
    if (!view) return;
    const timer = setTimeout(() => !view.isDestroyed && setWords(wordsIn(view.state.doc)), 300);
    return () => clearTimeout(timer);
  }, [view, snapshot]);
  useEffect(() => {
    if (invalid) view?.dom.setAttribute('aria-invalid', 'true');
    else view?.dom.removeAttribute('aria-invalid');
  }, [view, invalid]);
  useEffect(() => {
    if (!view) return;
    const wiring = { 'aria-controls': 'slash-menu', 'aria-activedescendant': slashOptionId(active) };
    for (const [name, value] of Object.entries(wiring)) {
      if (menuOpen) view.dom.setAttribute(name, value);
      else view.dom.removeAttribute(name);
    }
  }, [view, menuOpen, active]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query begins at its first answer.
  useEffect(() => setActive(0), [slash?.text]);
  useEffect(() => {
    if (!slash) setDismissed(undefined);
  }, [slash]);

  useImperativeHandle(ref, () => ({
    html: () => {
      if (!view) return origin.current.html;
      const now = writeStored(view.state.doc);
      return now === origin.current.written ? origin.current.html : withoutLocal(now);
    },
    replace: (html) => {
      if (!view) {
        origin.current = { html, written: '' };
        return;
      }
      const { state } = view;
      view.dispatch(state.tr.replaceWith(0, state.doc.content.size, readStored(state.schema, html).content));
    },
    focus: () => view?.focus(),
    settled: () => tray.settled(),
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
  const pick = () => {
    // Made for the moment: the form has one file field, which is the featured image.
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      multiple: true,
      accept: IMAGE_ACCEPT,
    });
    input.addEventListener('change', () => {
      if (view) void tray.insert(view, [...(input.files ?? [])]).then(() => view.focus());
    });
    input.click();
  };
  function askForLink() {
    if (view) setLinking(true);
  }
  const choose = ({ command }: SlashItem) => {
    if (!view || !slash) return;
    view.dispatch(view.state.tr.delete(slash.from, slash.to));
    if (command) run(command);
    else pick();
  };
  function pressInMenu(key: string): boolean {
    if (!menuOpen) return false;
    if (key === 'Escape') setDismissed(slash?.from);
    else if (key === 'ArrowDown') setActive((active + 1) % items.length);
    else if (key === 'ArrowUp') setActive((active - 1 + items.length) % items.length);
    else {
      const item = items[active];
      if (item) choose(item);
    }
    return true;
  }

  const inside = frame.current?.contains(document.activeElement) && document.activeElement !== document.body;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is one field and its tools.
    <div
      ref={frame}
      role="group"
      aria-labelledby="content-label"
      className="text-editor"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setLinking(false);
          setShown((shown) => ({ ...shown, focused: false }));
        }
      }}
      onFocus={() => view && setShown((shown) => ({ ...shown, focused: view.hasFocus() }))}
    >
      <Toolbar snapshot={snapshot} run={run} onLink={askForLink} onPicture={() => pick()} onLeave={leave} />
      <div className="editor-scroll">
        <Milkdown />
      </div>
      {view && (focused || inside) && (
        <Beside view={view} frame={frame} snapshot={snapshot} linking={linking} run={run} onLeave={leave} />
      )}
      {view && menuOpen && slash && (
        <Floating view={view} frame={frame} pos={slash.from}>
          <SlashMenu items={items} active={active} onChoose={choose} />
        </Floating>
      )}
      <p role="alert" className="editor-fault">
        {fault}
      </p>
      <footer className="editor-foot">
        <span>{words === 1 ? '1 word' : `${words.toLocaleString('en-US')} words`}</span>
        <span role="status">{note}</span>
      </footer>
    </div>
  );
}
