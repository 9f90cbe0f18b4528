/**
 * Pictures that a writer drops, pastes or picks stand in the text at once, from this device, while they are uploaded;
 * then they get their address. Undo and redo find that address again.
 */

import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet, type EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';

export interface Uploader {
  /** Uploads and gives the stored picture's address. */
  readonly upload: (file: File, onProgress: (percent: number) => void) => Promise<string>;
  /** What is wrong with a file, in words. */
  readonly faultOf: (file: File) => Promise<string | undefined>;
  /** Tells the writer that a picture did not make it. */
  readonly refuse: (message: string) => void;
  readonly messageOf: (error: unknown) => string;
}

/** One editor's pictures on their way. */
export class PictureTray {
  readonly #uploader: Uploader;
  /** Local address → stored address, once it is known. */
  readonly #stored = new Map<string, string>();
  readonly #running = new Map<string, { percent: number; done: Promise<void> }>();

  constructor(uploader: Uploader) {
    this.#uploader = uploader;
  }

  storedAddress(local: string): string | undefined {
    return this.#stored.get(local);
  }

  percent(local: string): number | undefined {
    return this.#running.get(local)?.percent;
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  /** Inserts files as pictures at `pos`, or where the cursor is. Those that are no pictures are refused in words. */
  async insert(view: EditorView, files: readonly File[], pos?: number): Promise<void> {
    let at = pos ?? view.state.selection.from;
    for (const file of files) {
      const fault = await this.#uploader.faultOf(file);
      if (fault) {
        this.#uploader.refuse(fault);
        continue;
      }
      const src = this.#start(view, file);
      view.dispatch(standAlone(view.state, src, Math.min(at, view.state.doc.content.size)));
      const inserted = findPicture(view.state.doc, src);
      if (inserted === undefined) continue;
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, inserted)).scrollIntoView());
      at = inserted;
    }
  }

  /** Begins to upload a picture that came as data inside pasted HTML. */
  adopt(view: EditorView, src: string): void {
    const file = fileOfData(src);
    if (file && !this.#running.has(src)) this.#send(view, src, file);
  }

  #start(view: EditorView, file: File): string {
    const local = URL.createObjectURL(file);
    this.#send(view, local, file);
    return local;
  }

  #send(view: EditorView, local: string, file: File): void {
    const state = { percent: 0, done: Promise.resolve() };
    const redraw = () =>
      !view.isDestroyed && view.dispatch(view.state.tr.setMeta(key, true).setMeta('addToHistory', false));
    state.done = this.#uploader
      .upload(file, (percent) => {
        state.percent = percent;
        redraw();
      })
      .then(
        (src) => void this.#stored.set(local, src),
        (error: unknown) => {
          this.#uploader.refuse(this.#uploader.messageOf(error));
          // An empty address takes the picture out of the text.
          this.#stored.set(local, '');
        },
      )
      .then(() => {
        this.#running.delete(local);
        if (!view.isDestroyed) settle(view, this);
      });
    this.#running.set(local, state);
  }
}

/** A picture that is only on this device. */
export const isLocal = (src: unknown): boolean => /^(blob|data):/i.test(String(src));

/** HTML without pictures that are still on their way: their address means nothing elsewhere. */
export const withoutLocal = (html: string): string =>
  html
    .replace(/<figure><img src="(?:blob|data):[^>]*>(?:<figcaption>(.*?)<\/figcaption>)?<\/figure>/g, '<p>$1</p>')
    .replace(/<img src="(?:blob|data):[^>]*>/g, '');

export const picturePlugin = (tray: PictureTray) =>
  $prose(
    () =>
      new Plugin<DecorationSet>({
        key,
        state: {
          init: (_config, { doc }) => decorate(doc, tray),
          apply: (tr, before, _old, { doc }) => (tr.docChanged || tr.getMeta(key) ? decorate(doc, tray) : before),
        },
        view: () => ({
          update: (view, before) => {
            if (!view.state.doc.eq(before.doc)) settle(view, tray);
          },
        }),
        props: {
          decorations: (state) => key.getState(state),
          // A press on a figure's picture selects the figure; one on its caption goes into the words.
          handleClickOn: (view, _pos, node, nodePos, event) => {
            if (node.type.name !== 'figure' || !(event.target instanceof HTMLImageElement)) return false;
            view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, nodePos)));
            return true;
          },
          handlePaste: (view, event) => take(view, tray, event.clipboardData, undefined),
          handleDrop: (view, event, _slice, moved) => {
            const pos = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos;
            return !moved && take(view, tray, event.dataTransfer, pos);
          },
        },
      }),
  );

const key = new PluginKey<DecorationSet>('PICTURES');

/** Takes the pictures of a paste or drop. Office programs add a picture of the text itself: text goes first. */
function take(view: EditorView, tray: PictureTray, data: DataTransfer | null, pos: number | undefined): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length === 0 || data?.types.includes('text/html') || data?.types.includes('text/rtf')) return false;
  void tray.insert(view, files, pos);
  return true;
}

/** Gives pictures the address they have by now, takes failed ones out, and begins those that came as data. */
function settle(view: EditorView, tray: PictureTray): void {
  const { tr } = view.state;
  view.state.doc.descendants((node, pos) => {
    if (!isLocal(node.attrs.src)) return;
    const stored = tray.storedAddress(node.attrs.src);
    if (stored) tr.setNodeAttribute(tr.mapping.map(pos), 'src', stored);
    else if (stored === '') tr.delete(tr.mapping.map(pos), tr.mapping.map(pos + node.nodeSize));
    else tray.adopt(view, node.attrs.src);
  });
  if (tr.docChanged) view.dispatch(tr.setMeta('addToHistory', false));
}

function decorate(doc: Node, tray: PictureTray): DecorationSet {
  const found: Decoration[] = [];
  doc.descendants((node, pos) => {
    if (!isLocal(node.attrs.src)) return;
    const percent = tray.percent(node.attrs.src) ?? 0;
    const end = pos + node.nodeSize;
    found.push(Decoration.node(pos, end, { class: 'uploading' }));
    found.push(
      Decoration.widget(end, () => bar(percent), {
        side: 1,
        key: `${node.attrs.src}${percent}`,
        ignoreSelection: true,
      }),
    );
  });
  return DecorationSet.create(doc, found);
}

function bar(percent: number): HTMLElement {
  const progress = document.createElement('progress');
  progress.className = 'upload-bar';
  progress.max = 100;
  if (percent > 0) progress.value = percent;
  progress.setAttribute('aria-label', 'Upload of the picture');
  return progress;
}

/** A picture in a paragraph of its own: in place of an empty one, else below the block at `pos`; something can be written behind it. */
function standAlone({ tr, doc, schema }: EditorState, src: string, pos: number): Transaction {
  const { paragraph, image } = schema.nodes;
  if (!paragraph || !image) return tr;
  const own = paragraph.create(null, image.create({ src, alt: '' }));
  const $pos = doc.resolve(pos);
  const inBlock = $pos.parent.isTextblock;
  const isEmpty = $pos.parent.type === paragraph && $pos.parent.childCount === 0;
  const from = inBlock ? (isEmpty ? $pos.before() : $pos.after()) : pos;
  const to = isEmpty ? $pos.after() : from;
  const last = to === doc.content.size;
  return tr.replaceWith(from, to, last ? [own, paragraph.create()] : own);
}

function findPicture(doc: Node, src: string): number | undefined {
  let found: number | undefined;
  doc.descendants((node, pos) => {
    if (node.attrs.src === src) found ??= pos;
  });
  return found;
}

function fileOfData(src: string): File | undefined {
  const [, type = '', body = ''] = /^data:(image\/[a-z]+);base64,(.*)$/is.exec(src) ?? [];
  try {
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 ? new File([bytes], `pasted.${type.split('/')[1]}`, { type }) : undefined;
  } catch {
    return undefined;
  }
}
