/** Floating toolbars for pictures, tables and code, loaded on demand. The focus stays in the text while they load. */

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
  setAttribute,
} from '../commands/block-commands.ts';
import type { Snapshot } from '../editor-state.ts';
import { BubbleButton, BubbleForm, type BubbleProps } from './BubbleForm.tsx';

export function BlockBubble({ snapshot: { picture, code }, ...tools }: BubbleProps & { snapshot: Snapshot }) {
  if (picture) return <PictureBubble {...picture} {...tools} />;
  return code ? <CodeBubble {...code} {...tools} /> : <TableBubble {...tools} />;
}

function PictureBubble({ pos, node, run, onLeave }: BubbleProps & NonNullable<Snapshot['picture']>) {
  const id = useId();
  return (
    <BubbleForm label={editorText.picture} onEnter={onLeave} onLeave={onLeave}>
      <label htmlFor={id} className="w-full px-1 text-xs text-soft">
        {editorText.describe}
      </label>
      <input
        id={id}
        value={String(node.attrs.alt ?? '')}
        onChange={(event) => run(setAttribute(pos, 'alt', event.currentTarget.value))}
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
    <BubbleForm label={editorText.table} className="editor-bubble-row" onLeave={onLeave}>
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

const LANGUAGES =
  'bash c cpp csharp css diff docker go graphql html ini java javascript json jsx kotlin lua make markdown nix perl php python ruby rust scala scss sql swift toml tsx typescript xml yaml zig'.split(
    ' ',
  );

function CodeBubble({ pos, language: value, run, onLeave }: BubbleProps & NonNullable<Snapshot['code']>) {
  const id = useId();
  const write = (language: string) =>
    run(setAttribute(pos, 'language', language.toLowerCase().replace(/[^\w+#.-]/g, '')));
  return (
    <BubbleForm label={editorText.codeBlock} className="editor-bubble-code" onEnter={onLeave} onLeave={onLeave}>
      <label htmlFor={id} className="px-1 text-xs text-soft">
        {editorText.language}
      </label>
      <input
        id={id}
        list={`${id}-languages`}
        value={value}
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
