/** Small tools beside what they are for: a link, a picture, a table, the language of code. */

import type { Command } from '@milkdown/kit/prose/state';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon, type IconName } from '#components/Icon.tsx';
import { linkAddress } from './address.ts';
import {
  addColumnAfter,
  addRowAfter,
  align,
  caption,
  deleteColumn,
  deleteRow,
  deleteTable,
  headerRow,
  removeLink,
  removeNode,
  setLink,
} from './commands.ts';
import type { Snapshot } from './watch.ts';

interface BubbleProps {
  readonly run: (command: Command) => void;
  /** Back to the text. */
  readonly onLeave: () => void;
}

const leaveOnEscape = (onLeave: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return;
  event.stopPropagation();
  onLeave();
};

interface LinkBubbleProps extends BubbleProps {
  readonly link: NonNullable<Snapshot['link']>;
  /** Asked for, so that the field is focused; else it stands by while the cursor is in the link. */
  readonly asked: boolean;
}

export function LinkBubble({ link, asked, run, onLeave }: LinkBubbleProps) {
  const [typed, setTyped] = useState(link.href);
  const [wrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    setTyped(link.href);
    setWrong(false);
  }, [link.href]);
  useEffect(() => {
    if (!asked) return;
    input.current?.focus();
    input.current?.select();
  }, [asked]);

  const apply = () => {
    const href = linkAddress(typed);
    setWrong(!href);
    if (!href) {
      input.current?.focus();
      return;
    }
    run(setLink(href, link));
    onLeave();
  };
  return (
    <BubbleForm label="Link" onEnter={apply} onKeyDown={leaveOnEscape(onLeave)}>
      <label htmlFor={id} className="sr-only">
        Address of the link
      </label>
      <input
        ref={input}
        id={id}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        placeholder="https://…"
        inputMode="url"
        autoComplete="off"
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        className="editor-input"
      />
      <BubbleButton name="Set the link" icon="check" onClick={apply} />
      {link.href && <BubbleButton name="Remove the link" icon="trash" onClick={() => run(removeLink(link))} />}
      {wrong && (
        <p id={`${id}-error`} role="alert" className="w-full px-1 pb-1 text-xs text-danger">
          Enter an address such as example.com or /post/another.
        </p>
      )}
    </BubbleForm>
  );
}

interface PictureBubbleProps extends BubbleProps {
  readonly picture: NonNullable<Snapshot['picture']>;
}

export function PictureBubble({ picture, run, onLeave }: PictureBubbleProps) {
  const { pos, node } = picture;
  const id = useId();
  const describe = (alt: string) =>
    run((state, dispatch) => {
      if (!state.doc.nodeAt(pos)) return false;
      // The picture stays selected, so that its tools stay.
      dispatch?.(state.tr.setNodeAttribute(pos, 'alt', alt));
      return true;
    });
  return (
    <BubbleForm label="Picture" onEnter={onLeave} onKeyDown={leaveOnEscape(onLeave)}>
      <label htmlFor={id} className="w-full px-1 text-xs text-soft">
        Describe the picture for those who cannot see it
      </label>
      <input
        id={id}
        value={String(node.attrs.alt ?? '')}
        onChange={(event) => describe(event.currentTarget.value)}
        placeholder="A red boat on a still lake"
        autoComplete="off"
        className="editor-input"
      />
      <BubbleButton
        name={node.type.name === 'figure' ? 'Remove the caption' : 'Add a caption'}
        icon="heading"
        face="Caption"
        pressed={node.type.name === 'figure'}
        onClick={() => {
          run(caption(pos));
          onLeave();
        }}
      />
      <BubbleButton name="Remove the picture" icon="trash" onClick={() => run(removeNode(pos))} />
    </BubbleForm>
  );
}

export function TableBubble({ run, onLeave }: BubbleProps) {
  const button = (name: string, face: string, command: Command) => (
    <BubbleButton name={name} face={face} onClick={() => run(command)} />
  );
  return (
    <BubbleForm label="Table" onKeyDown={leaveOnEscape(onLeave)}>
      {button('Add a row below', '+ Row', addRowAfter)}
      {button('Add a column to the right', '+ Column', addColumnAfter)}
      {button('Delete the row', '− Row', deleteRow)}
      {button('Delete the column', '− Column', deleteColumn)}
      {button('Header row on or off', 'Header', headerRow)}
      {button('Align the column left', 'Left', align('left'))}
      {button('Align the column in the middle', 'Middle', align('center'))}
      {button('Align the column right', 'Right', align('right'))}
      <BubbleButton name="Delete the table" icon="trash" onClick={() => run(deleteTable)} />
    </BubbleForm>
  );
}

interface CodeBubbleProps extends BubbleProps {
  readonly code: NonNullable<Snapshot['code']>;
}

const LANGUAGES =
  'bash c cpp csharp css diff docker go graphql html ini java javascript json jsx kotlin lua make markdown nix perl php python ruby rust scala scss sql swift toml tsx typescript xml yaml zig'.split(
    ' ',
  );

export function CodeBubble({ code, run, onLeave }: CodeBubbleProps) {
  const id = useId();
  const write = (language: string) =>
    run((state, dispatch) => {
      if (state.doc.nodeAt(code.pos)?.type.name !== 'code_block') return false;
      dispatch?.(state.tr.setNodeAttribute(code.pos, 'language', language.toLowerCase().replace(/[^\w+#.-]/g, '')));
      return true;
    });
  return (
    <BubbleForm label="Code block" onEnter={onLeave} onKeyDown={leaveOnEscape(onLeave)}>
      <label htmlFor={id} className="px-1 text-xs text-soft">
        Language
      </label>
      <input
        id={id}
        list={`${id}-languages`}
        value={code.language}
        onChange={(event) => write(event.currentTarget.value)}
        placeholder="none"
        autoComplete="off"
        spellCheck={false}
        className="editor-input"
      />
      <datalist id={`${id}-languages`}>
        {LANGUAGES.map((language) => (
          <option key={language} value={language} />
        ))}
      </datalist>
    </BubbleForm>
  );
}

interface BubbleFormProps {
  readonly label: string;
  readonly onEnter?: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/** Not a <form>: it stands inside the post's form, which must hear neither Enter nor changes. */
function BubbleForm({ label, onEnter, onKeyDown, children }: BubbleFormProps) {
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) {
      onKeyDown(event);
      return;
    }
    event.preventDefault();
    onEnter?.();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would number it among the fields of the post.
    <div
      role="group"
      aria-label={label}
      className="editor-bubble"
      onChange={(event) => event.stopPropagation()}
      onKeyDown={press}
    >
      {children}
    </div>
  );
}

interface BubbleButtonProps {
  readonly name: string;
  readonly icon?: IconName;
  readonly face?: string;
  readonly pressed?: boolean;
  readonly onClick?: () => void;
}

function BubbleButton({ name, icon, face, pressed, onClick }: BubbleButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={pressed}
      data-tip={name}
      className="editor-tool"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      {face ? <span aria-hidden="true">{face}</span> : icon && <Icon name={icon} />}
    </button>
  );
}
