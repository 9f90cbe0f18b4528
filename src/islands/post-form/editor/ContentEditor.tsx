/**
 * The editor as the post form has it: toolbar, page, bubbles, count. Loaded by itself, because it weighs as much as all
 * else. Long because it is where the editor's parts, each with a file of its own, are given to one another.
 */

import '#styles/prose.css';
import './editor.css';
import type { Command } from '@milkdown/kit/prose/state';
import type { EditorView } from '@milkdown/kit/prose/view';
import { Milkdown, MilkdownProvider, useEditor } from '@milkdown/react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { readingMinutes } from '#blog/content/words.ts';
import { editorText } from '#blog/editor-text.ts';
import { IMAGE_ACCEPT } from '#blog/images.ts';
import { Beside } from './Beside.tsx';
import { makeEditor } from './create.ts';
import { Elsewhere } from './Elsewhere.tsx';
import { FindPanel } from './FindPanel.tsx';
import { Floating } from './Floating.tsx';
import { highlights } from './highlights.ts';
import { LatePanel } from './LatePanel.tsx';
import { longText } from './long-text.ts';
import { insertPictures, showUndescribed, undescribed } from './pictures.ts';
import { ownKeys, placeholder, ticks } from './plugins.ts';
import { SlashMenu, slashOptionId } from './SlashMenu.tsx';
import { matches, type SlashItem, type SlashQuery, slashKeys, slashQuery } from './slash.ts';
import { Toolbar } from './Toolbar.tsx';
import { createTextSource } from './text-source.ts';
import { isPart, type Part, partOfKeys, type Tool } from './tools.ts';
import { obstacle } from './tray.ts';
import { useFullScreen } from './use-full-screen.ts';
import { useKeyboardDock } from './use-keyboard-dock.ts';
import { usePart } from './use-part.ts';
import { usePictures } from './use-pictures.ts';
import { looksSame, NOTHING, type Snapshot, snapshotOf, watch } from './watch.ts';
import { wayOut } from './way-out.ts';
import { wordsIn } from './words.ts';

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

function Page({ ref, initial, userId, invalid, frozen, onChange, note }: ContentEditorProps) {
  const [{ snapshot, slash, focused }, setShown] = useState<Shown>({
    snapshot: NOTHING,
    slash: undefined,
    focused: false,
  });
  const [view, setView] = useState<EditorView>();
  const [words, setWords] = useState<number>();
  const [linking, setLinking] = useState(false);
  const [dismissed, setDismissed] = useState<number>();
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<Part>>(new Set());
  const [asked, setAsked] = useState(0);
  const [said, setSaid] = useState('');
  const frame = useRef<HTMLDivElement>(null);
  const counting = useRef(0);
  const origin = useRef(initial);
  const pictures = usePictures(userId, setSaid);
  const [source] = useState(createTextSource);
  const [sourceStart, setSourceStart] = useState('');

  const items = slash && slash.from !== dismissed ? matches(slash) : [];
  const menuOpen = focused && items.length > 0;
  // What plugins, made once, call: always the present one.
  const live = useRef({ onChange, press: (_key: string): boolean => false, link: () => {}, follow: true });
  // Parts that show the text itself follow each letter.
  live.current = { onChange, press: pressInMenu, link: askForLink, follow: open.size > 0 || linking };
  const latest = useRef<Shown>(undefined);
  const show = (next: Shown) => {
    const before = latest.current;
    latest.current = next;
    const same = before && !before.slash && !next.slash && before.focused === next.focused;
    if (live.current.follow || !same || !looksSame(before.snapshot, next.snapshot)) setShown(next);
  };

  /** In a pause: of a long text it takes as long as to show it. */
  const count = useCallback((now: EditorView) => {
    clearTimeout(counting.current);
    counting.current = window.setTimeout(() => !now.isDestroyed && setWords(wordsIn(now.state.doc)), 300);
  }, []);
  useEditor(
    (root) =>
      makeEditor({
        root,
        html: origin.current,
        attributes: {
          id: 'content-editor',
          class: 'prose editor-page',
          role: 'textbox',
          'aria-multiline': 'true',
          'aria-labelledby': 'content-label',
          'aria-describedby': 'content-error',
        },
        plugins: [
          longText,
          wayOut,
          slashKeys((key) => live.current.press(key)),
          ownKeys(() => live.current.link()),
          pictures.plugin,
          placeholder,
          highlights,
          ticks,
          watch((now, textChanged) => {
            setView(now);
            show({ snapshot: snapshotOf(now.state), slash: slashQuery(now.state), focused: now.hasFocus() });
            if (!textChanged) return;
            live.current.onChange();
            count(now);
          }),
        ],
      }),
    [],
  );

  useEffect(() => {
    if (!view) return;
    source.given(view, origin.current);
    count(view);
  }, [view, source, count]);
  useEffect(() => () => clearTimeout(counting.current), []);
  useEffect(() => {
    if (invalid) view?.dom.setAttribute('aria-invalid', 'true');
    else view?.dom.removeAttribute('aria-invalid');
  }, [view, invalid]);
  useEffect(() => {
    view?.setProps({ editable: () => !frozen });
  }, [view, frozen]);
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
  const offered = menuOpen ? items.length : 0;
  useEffect(() => {
    if (offered > 0) setSaid(editorText.blocksOffered(offered));
  }, [offered]);

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
      close('source');
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
  const pick = () => {
    // Made for the moment: the form has one file field, which is the featured image.
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      multiple: true,
      accept: IMAGE_ACCEPT,
    });
    input.addEventListener('change', () => {
      if (view) void insertPictures(view, pictures.tray, [...(input.files ?? [])]).then(() => view.focus());
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

  const change = (part: Part, on: boolean) => {
    pictures.tell('');
    if (part === 'source') return void turn(on);
    setOpen((before) => (on ? new Set([...before, part]) : without(before, part)));
    if (part === 'full') setSaid(on ? editorText.fullScreenOn : editorText.fullScreenOff);
  };
  /** Pictures on their way have no place in a source: it is opened when they have arrived. */
  const turn = async (on: boolean) => {
    if (!view || on === open.has('source')) return;
    const reason = on ? obstacle(await pictures.tray.settled()) : undefined;
    if (reason) return pictures.tell(reason);
    if (on) setSourceStart(source.html(view));
    else source.apply(view);
    setOpen((before) => (on ? new Set([...before, 'source']) : without(before, 'source')));
    setSaid(on ? editorText.sourceOn : editorText.sourceOff);
    if (!on) requestAnimationFrame(() => view.focus());
  };
  const close = (part: Part) => {
    change(part, false);
    view?.focus();
  };
  const Find = usePart(open.has('find'), () => import('./FindBar.tsx'), 'FindBar');
  const Headings = usePart(open.has('outline'), () => import('./Outline.tsx'), 'Outline');
  const Source = usePart(open.has('source'), () => import('./source/SourceView.tsx'), 'SourceView');
  useFullScreen(frame, open.has('full'));
  useKeyboardDock(frame, focused);
  const use = ({ act }: Tool) => {
    if (act === 'link') askForLink();
    else if (act === 'picture') pick();
    else if (!isPart(act)) run(act);
    else change(act, !open.has(act));
  };
  const press = (event: KeyboardEvent) => {
    const part = partOfKeys(event);
    if (part && open.has('source') && part !== 'full') return;
    if (part) {
      event.preventDefault();
      // Asked for again, the search is gone to, not closed.
      change(part, part === 'find' || !open.has(part));
      setAsked(asked + 1);
    } else if (event.key === 'Escape' && !slash && open.has('full')) close('full');
  };

  const inside = frame.current?.contains(document.activeElement) && document.activeElement !== document.body;
  const elsewhere = document.activeElement?.closest('.editor-find, .editor-outline, .editor-source');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this is one field and its tools.
    <div
      ref={frame}
      role="group"
      aria-labelledby="content-label"
      className={open.has('full') ? 'text-editor text-editor-full' : 'text-editor'}
      onKeyDown={press}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setLinking(false);
          setShown((shown) => ({ ...shown, focused: false }));
        }
      }}
      onFocus={() => view && setShown((shown) => ({ ...shown, focused: view.hasFocus() }))}
    >
      <div className="editor-head" inert={frozen}>
        <Toolbar snapshot={snapshot} open={open} onTool={use} onLeave={leave} />
        {view && open.has('find') && !open.has('source') && (
          <FindPanel late={Find} view={view} asked={asked} announce={setSaid} onClose={() => close('find')} />
        )}
      </div>
      {view && open.has('source') && (
        <LatePanel
          as="section"
          label={editorText.source}
          className="editor-source"
          again={Source.again}
          onEscape={Source.Part ? undefined : () => close('source')}
        >
          {Source.Part && <Source.Part ref={source.ref} initial={sourceStart} frozen={frozen} onChange={onChange} />}
        </LatePanel>
      )}
      <div className="editor-body" hidden={open.has('source')}>
        <div className="editor-scroll">
          <Milkdown />
        </div>
        {view && open.has('outline') && (
          <LatePanel
            as="nav"
            label={editorText.outline}
            className="editor-outline"
            again={Headings.again}
            onEscape={() => close('outline')}
          >
            {Headings.Part && <Headings.Part view={view} state={view.state} onClose={() => close('outline')} />}
          </LatePanel>
        )}
      </div>
      {view && !frozen && (focused || inside) && !elsewhere && (
        <Beside view={view} frame={frame} snapshot={snapshot} linking={linking} run={run} onLeave={leave} />
      )}
      {view && !frozen && menuOpen && slash && (
        <Floating view={view} frame={frame} pos={slash.from}>
          <SlashMenu items={items} active={active} onChoose={choose} />
        </Floating>
      )}
      {view && !frozen && pictures.foreign.length > 0 && <Elsewhere view={view} pictures={pictures} />}
      <p role="alert" className="editor-fault">
        {pictures.fault}
      </p>
      <p role="status" className="sr-only">
        {said}
      </p>
      <footer className="editor-foot">
        <span>
          {words !== undefined && `${editorText.length(words)} · ${editorText.minutes(readingMinutes(words))}`}
        </span>
        <span role="status">{note}</span>
      </footer>
    </div>
  );
}

const without = (open: ReadonlySet<Part>, part: Part): ReadonlySet<Part> =>
  new Set([...open].filter((other) => other !== part));
