/** The bubbles of pictures, tables and code. Loaded on demand, because they do not take the focus. */

import type { Command } from '@milkdown/kit/prose/state';
import { useId } from 'react';
import { editorText } from '#blog/messages/editor.ts';
import {
  addColumnAfter,
  addRowAfter,
  align,
  caption,
  deleteColumn,
  deleteRow,
  deleteTable,
  headerRow,
  removeNode,
} from '../commands/block-commands.ts';
import type { Snapshot } from '../editor-state.ts';
import { BubbleButton, BubbleForm, type BubbleProps, leaveOnEscape } from './BubbleForm.tsx';

export interface BlockBubbleProps extends BubbleProps {
  readonly snapshot: Snapshot;
}

export function BlockBubble({ snapshot: { picture, code }, ...tools }: BlockBubbleProps) {
  if (picture) return <PictureBubble picture={picture} {...tools} />;
  return code ? <CodeBubble code={code} {...tools} /> : <TableBubble {...tools} />;
}

interface PictureBubbleProps extends BubbleProps {
  readonly picture: NonNullable<Snapshot['picture']>;
}

function PictureBubble({ picture, run, onLeave }: PictureBubbleProps) {
  const { pos, node } = picture;
  const id = useId();
  const describe = (alt: string) =>
    run((state, dispatch) => {
      if (!state.doc.nodeAt(pos)) return false;
      // The transaction keeps the picture selected, so that its bubble stays open.
      dispatch?.(state.tr.setNodeAttribute(pos, 'alt', alt));
      return true;
    });
  return (
    <BubbleForm label={editorText.picture} onEnter={onLeave} onKeyDown={leaveOnEscape(onLeave)}>
      <label htmlFor={id} className="w-full px-1 text-xs text-soft">
        {editorText.describe}
      </label>
      <input
        id={id}
        value={String(node.attrs.alt ?? '')}
        onChange={(event) => describe(event.currentTarget.value)}
        placeholder={editorText.description}
        autoComplete="off"
        className="editor-input"
      />
      <BubbleButton
        name={node.type.name === 'figure' ? editorText.removeCaption : editorText.addCaption}
        icon="heading"
        face={editorText.captionFace}
        pressed={node.type.name === 'figure'}
        onClick={() => {
          run(caption(pos));
          onLeave();
        }}
      />
      <BubbleButton name={editorText.removePicture} icon="trash" onClick={() => run(removeNode(pos))} />
    </BubbleForm>
  );
}

function TableBubble({ run, onLeave }: BubbleProps) {
  const button = ([name, face]: readonly [string, string], command: Command) => (
    <BubbleButton name={name} face={face} onClick={() => run(command)} />
  );
  return (
    <BubbleForm label={editorText.table} className="editor-bubble-row" onKeyDown={leaveOnEscape(onLeave)}>
      {button(editorText.rowBelow, addRowAfter)}
      {button(editorText.columnRight, addColumnAfter)}
      {button(editorText.deleteRow, deleteRow)}
      {button(editorText.deleteColumn, deleteColumn)}
      {button(editorText.headerRow, headerRow)}
      {button(editorText.alignLeft, align('left'))}
      {button(editorText.alignMiddle, align('center'))}
      {button(editorText.alignRight, align('right'))}
      <BubbleButton name={editorText.deleteTable} icon="trash" onClick={() => run(deleteTable)} />
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

function CodeBubble({ code, run, onLeave }: CodeBubbleProps) {
  const id = useId();
  const write = (language: string) =>
    run((state, dispatch) => {
      if (state.doc.nodeAt(code.pos)?.type.name !== 'code_block') return false;
      dispatch?.(state.tr.setNodeAttribute(code.pos, 'language', language.toLowerCase().replace(/[^\w+#.-]/g, '')));
      return true;
    });
  return (
    <BubbleForm
      label={editorText.codeBlock}
      className="editor-bubble-code"
      onEnter={onLeave}
      onKeyDown={leaveOnEscape(onLeave)}
    >
      <label htmlFor={id} className="px-1 text-xs text-soft">
        {editorText.language}
      </label>
      <input
        id={id}
        list={`${id}-languages`}
        value={code.language}
        onChange={(event) => write(event.currentTarget.value)}
        placeholder={editorText.noLanguage}
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
