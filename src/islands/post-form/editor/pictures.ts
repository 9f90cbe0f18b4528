/**
 * Pictures that a writer drops, pastes or picks stand in the text at once, from this device, while they are uploaded;
 * then they get their address and their size. Undo and redo find that address again.
 */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet, type EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { IMAGE_ACCEPT } from '#blog/images.ts';
import { localAddress, localFile } from './local-pictures.ts';
import { addressesIn, isPicture, picturesOf } from './pictures-in-text.ts';
import { inertBody } from './stored-rules.ts';
import { isLocal, type PictureTray } from './tray.ts';
import { uploadFace } from './upload-face.ts';

/** Inserts files as pictures at `pos`, or where the cursor is, in their order. The first is selected, to be described. */
export async function insertPictures(
  view: EditorView,
  tray: PictureTray,
  files: readonly File[],
  pos = view.state.selection.from,
): Promise<void> {
  const addresses = await tray.take(files);
  if (addresses.length === 0 || view.isDestroyed) return;
  // One step to take back, without what was typed before it came.
  view.dispatch(closeHistory(standAlone(view.state, addresses, Math.min(pos, view.state.doc.content.size))));
  select(view, (node) => node.attrs.src === addresses[0]);
}

/** Pictures that have no description, however many. */
export const undescribed = (doc: Node): number =>
  picturesOf(doc).filter(({ node }) => !String(node.attrs.alt ?? '').trim()).length;

/** Selects the first picture without a description: its tools open beside it. */
export function showUndescribed(view: EditorView): void {
  select(view, (node) => isPicture(node) && !String(node.attrs.alt ?? '').trim());
  view.focus();
}

/** HTML without pictures that are still on their way: their address means nothing elsewhere. */
export const withoutLocal = (html: string): string =>
  html
    .replace(
      /<figure>(<img src="([^"]*)"[^>]*>)(?:<figcaption>(.*?)<\/figcaption>)?<\/figure>/gi,
      (figure, _, src, words) => (isLocal(src) ? `<p>${words ?? ''}</p>` : figure),
    )
    .replace(/<img src="([^"]*)"[^>]*>/gi, (picture, src) => (isLocal(src) ? '' : picture));

/** What a paste or drop holds of the pictures that its HTML names by addresses of this device. */
export interface PictureSource {
  /** As word processors add it; empty where there is none. */
  readonly rtf: string;
  readonly files: readonly File[];
  /** The addresses of all its pictures, in order. */
  readonly pictures: readonly string[];
  /** It holds nothing else than one picture. */
  readonly onlyPicture: boolean;
}

/** HTML in which pictures that came as data stand under the address of their file: a copy of it stays small. */
export const withAddresses = (html: string): string =>
  html.replace(/(?<=<img src=")data:[^"]*/gi, (data) => {
    const file = ofData.has(data) ? undefined : fileOfData(data);
    if (file) ofData.set(data, localAddress(file));
    return ofData.get(data) ?? data;
  });

const ofData = new Map<string, string>();

export interface PictureOptions {
  readonly tray: PictureTray;
  /** Pictures of other sites came with a paste or drop: their addresses. */
  readonly onForeign: (addresses: readonly string[]) => void;
}

export const picturePlugin = ({ tray, onForeign }: PictureOptions) =>
  $prose(() => {
    let data: Pick<PictureSource, 'rtf' | 'files'> = { rtf: '', files: [] };
    /** Can be read only while the event lasts. */
    const note = (given: DataTransfer | null): false => {
      data = { rtf: given?.getData('text/rtf') ?? '', files: [...(given?.files ?? [])] };
      return false;
    };
    return new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => decorate(doc, tray),
        apply: (tr, before, _old, { doc }) => (tr.docChanged || tr.getMeta(key) ? decorate(doc, tray) : before),
      },
      view: (view) => {
        const stop = tray.listen(() => settle(view, tray));
        // Those of a text that was taken up again.
        queueMicrotask(() => settle(view, tray));
        return {
          update: (now, before) => {
            if (!now.state.doc.eq(before.doc)) settle(now, tray);
          },
          destroy: () => {
            stop();
            tray.follow(new Set());
          },
        };
      },
      props: {
        decorations: (state) => key.getState(state),
        // A press on a figure's picture selects the figure; one on its caption goes into the words.
        handleClickOn: (view, _pos, node, nodePos, event) => {
          if (node.type.name !== 'figure' || !(event.target instanceof HTMLImageElement)) return false;
          view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, nodePos)));
          return true;
        },
        handleDOMEvents: {
          paste: (_view, event) => note(event.clipboardData),
          drop: (_view, event) => note(event.dataTransfer),
        },
        handlePaste: (view, event) => take(view, tray, event.clipboardData, undefined),
        handleDrop: (view, event, _slice, moved) => {
          return !moved && take(view, tray, event.dataTransfer, placeOf(view, event));
        },
        transformPasted: (slice, view) => {
          const known = addressesIn(view.state.doc);
          const pictures: string[] = [];
          slice.content.descendants((node) => {
            if (isPicture(node)) pictures.push(String(node.attrs.src ?? ''));
          });
          const foreign = pictures.filter((src) => isForeign(src) && !known.has(src));
          if (foreign.length > 0) onForeign(foreign);
          const words = slice.content.textBetween(0, slice.content.size);
          const source = { ...data, pictures, onlyPicture: pictures.length === 1 && !words.trim() };
          for (const src of pictures.filter((each) => isLocal(each) && !/^data:/i.test(each)))
            tray.expect(src, async () => (await import('./pasted/pasted-picture.ts')).pastedPicture(src, source));
          return slice;
        },
      },
    });
  });

const key = new PluginKey<DecorationSet>('PICTURES');

/** Of another site: this one's own pictures are copied from post to post as they are. */
const isForeign = (src: string): boolean =>
  /^https?:/i.test(src) && URL.canParse(src) && new URL(src).origin !== location.origin;

/**
 * Takes the pictures of a paste or drop. Office programs add a picture of the text itself: text goes first. A browser
 * that copies a picture adds its address as HTML: there the picture goes first, unless it is of a kind (WebP) that only a
 * copy from its address can change.
 */
function take(view: EditorView, tray: PictureTray, data: DataTransfer | null, pos: number | undefined): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length === 0 || data?.types.includes('text/rtf')) return false;
  const isKnown = files.some(({ type }) => !type.startsWith('image/') || IMAGE_ACCEPT.includes(type));
  if (data?.types.includes('text/html') && !(isKnown && isOnePicture(data.getData('text/html')))) return false;
  void insertPictures(view, tray, files, pos);
  return true;
}

/** Beside the words it is the line that counts: browsers name some other place. */
function placeOf(view: EditorView, { clientX, clientY }: MouseEvent): number | undefined {
  const { left, right } = view.dom.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(view.dom);
  const [first, last] = [left + Number.parseFloat(paddingLeft) + 1, right - Number.parseFloat(paddingRight) - 1];
  return view.posAtCoords({ left: Math.min(Math.max(clientX, first), last), top: clientY })?.pos;
}

function isOnePicture(html: string): boolean {
  const body = inertBody(html);
  return body.querySelectorAll('img').length === 1 && !body.textContent?.trim();
}

/** Brings the text in step with the tray: stored pictures get their address, those that came as data are begun. */
function settle(view: EditorView, tray: PictureTray): void {
  if (view.isDestroyed) return;
  tray.follow(addressesIn(view.state.doc));
  const { tr } = view.state;
  const unfinished = new Set<string>();
  for (const { node, pos } of picturesOf(view.state.doc)) {
    const src = String(node.attrs.src);
    if (isLocal(src) && !tray.stageOf(src)) tray.add(src, localFile(src) ?? fileOfData(src));
    const stage = tray.stageOf(src);
    if (stage?.name === 'stored') {
      const { width, height } = sizeOf(node, stage.picture);
      tr.setNodeAttribute(pos, 'src', stage.picture.src);
      tr.setNodeAttribute(pos, 'width', width);
      tr.setNodeAttribute(pos, 'height', height);
    } else if (stage) unfinished.add(src);
  }
  const faces = new Set(
    key
      .getState(view.state)
      ?.find()
      .map(({ spec }) => spec.key),
  );
  faces.delete(undefined);
  const stale = faces.size !== unfinished.size || [...unfinished].some((src) => !faces.has(src));
  if (tr.docChanged || stale) view.dispatch(tr.setMeta(key, true).setMeta('addToHistory', false));
}

/** A width that came with the picture stays, in the picture's own proportions. */
function sizeOf({ attrs }: Node, { width, height }: { width: number; height: number }) {
  const given = /^\d{1,5}$/.test(String(attrs.width)) ? Number(attrs.width) : 0;
  const shown = given > 0 && given < width ? given : width;
  return { width: String(shown), height: String(Math.max(1, Math.round((shown * height) / width))) };
}

function decorate(doc: Node, tray: PictureTray): DecorationSet {
  const faces: Decoration[] = [];
  for (const { node, pos } of picturesOf(doc)) {
    const src = String(node.attrs.src ?? '');
    const stage = tray.stageOf(src);
    if (!stage || stage.name === 'stored' || stage.name === 'cancelled') continue;
    const end = pos + node.nodeSize;
    faces.push(Decoration.node(pos, end, { class: 'uploading' }));
    const face = (view: EditorView) => uploadFace(tray, src, () => removePicture(view, src));
    faces.push(
      Decoration.widget(end, face, {
        side: 1,
        key: src,
        ignoreSelection: true,
        stopEvent: () => true,
        destroy: (dom) => (dom as ReturnType<typeof uploadFace>).stop(),
      }),
    );
  }
  return DecorationSet.create(doc, faces);
}

/** Takes a picture out of the text: the words of its caption stay, a paragraph that held nothing else goes with it. */
export function removePicture(view: EditorView, src: string): void {
  const { tr, doc, schema } = view.state;
  doc.descendants((node, pos, parent) => {
    if (!isPicture(node) || node.attrs.src !== src) return;
    const alone = parent?.type.name === 'paragraph' && parent.childCount === 1 && doc.childCount > 1;
    const margin = alone ? 1 : 0;
    const words = node.childCount > 0 ? schema.nodes.paragraph?.create(null, node.content) : undefined;
    const [from, to] = [tr.mapping.map(pos - margin), tr.mapping.map(pos + node.nodeSize + margin)];
    if (words) tr.replaceWith(from, to, words);
    else tr.delete(from, to);
  });
  view.dispatch(tr);
  view.focus();
}

/** Pictures in paragraphs of their own: in place of an empty one, else below the block at `pos`; something can be written behind them. */
function standAlone({ tr, doc, schema }: EditorState, addresses: readonly string[], pos: number): Transaction {
  const { paragraph, image } = schema.nodes;
  if (!paragraph || !image) return tr;
  const own = addresses.map((src) => paragraph.create(null, image.create({ src, alt: '' })));
  const $pos = doc.resolve(pos);
  const inBlock = $pos.parent.isTextblock;
  const isEmpty = $pos.parent.type === paragraph && $pos.parent.childCount === 0;
  const from = inBlock ? (isEmpty ? $pos.before() : $pos.after()) : pos;
  const to = isEmpty ? $pos.after() : from;
  const last = to === doc.content.size;
  return tr.replaceWith(from, to, last ? [...own, paragraph.create()] : own);
}

function select(view: EditorView, wanted: (node: Node) => boolean): void {
  let found: number | undefined;
  view.state.doc.descendants((node, pos) => {
    if (wanted(node)) found ??= pos;
  });
  if (found === undefined) return;
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, found)).scrollIntoView());
}

/** What a `data:` address holds; undefined for any other. */
function fileOfData(src: string): File | undefined {
  const [, type = '', body = ''] = /^data:(image\/[a-z+.-]+);base64,(.*)$/is.exec(src) ?? [];
  try {
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 ? new File([bytes], `pasted.${type.split('/')[1]}`, { type }) : undefined;
  } catch {
    return undefined;
  }
}
