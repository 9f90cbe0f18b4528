/** Shows pictures during their upload, then sets their stored URL and size, even after Undo and Redo. */

import { closeHistory } from '@milkdown/kit/prose/history';
import type { Node } from '@milkdown/kit/prose/model';
import { type EditorState, NodeSelection, Plugin, PluginKey, type Transaction } from '@milkdown/kit/prose/state';
import { Decoration, DecorationSet, type EditorView } from '@milkdown/kit/prose/view';
import { $prose } from '@milkdown/kit/utils';
import { IMAGE_ACCEPT } from '#blog/images.ts';
import { inertBody } from '../html/inert-document.ts';
import type { PictureSource } from '../paste/pasted-picture.ts';
import { addressesIn, isPicture, picturesOf } from './find-pictures.ts';
import { localAddress, localFile } from './local-files.ts';
import { isLocal, type UploadQueue } from './upload-queue.ts';
import { createUploadStatus } from './upload-status.ts';

/** Inserts files as pictures at `pos` or at the cursor, in order. Selects the first, so that it can be described. */
export async function insertPictures(
  view: EditorView,
  queue: UploadQueue,
  files: readonly File[],
  pos = view.state.selection.from,
): Promise<void> {
  const addresses = await queue.take(files);
  if (addresses.length === 0 || view.isDestroyed) return;
  // Makes the insertion a separate undo step from text typed before it.
  view.dispatch(closeHistory(insertAsParagraphs(view.state, addresses, Math.min(pos, view.state.doc.content.size))));
  select(view, (node) => node.attrs.src === addresses[0]);
}

export const undescribed = (doc: Node): number =>
  picturesOf(doc).filter(({ node }) => !String(node.attrs.alt ?? '').trim()).length;

/** Selects the first picture without a description, which opens its floating toolbar. */
export function showUndescribed(view: EditorView): void {
  select(view, (node) => isPicture(node) && !String(node.attrs.alt ?? '').trim());
  view.focus();
}

/** Removes pictures that are not uploaded yet, because only this device can load them. Their captions stay. */
export const withoutLocal = (html: string): string =>
  html
    .replace(
      /<figure>(<img src="([^"]*)"[^>]*>)(?:<figcaption>(.*?)<\/figcaption>)?<\/figure>/gi,
      (figure, _, src, words) => (isLocal(src) ? `<p>${words ?? ''}</p>` : figure),
    )
    .replace(/<img src="([^"]*)"[^>]*>/gi, (picture, src) => (isLocal(src) ? '' : picture));

/** Replaces `data:` URLs of pictures with object URLs, so that drafts stay small. */
export const withAddresses = (html: string): string =>
  html.replace(/(?<=<img src=")data:[^"]*/gi, (data) => {
    const file = ofData.has(data) ? undefined : fileOfData(data);
    if (file) ofData.set(data, localAddress(file));
    return ofData.get(data) ?? data;
  });

const ofData = new Map<string, string>();

export const picturePlugin = (queue: UploadQueue, onRemote: (addresses: readonly string[]) => void) =>
  $prose(() => {
    let data: Pick<PictureSource, 'rtf' | 'files'> = { rtf: '', files: [] };
    /** Copies the event's data, which is readable only during the event. */
    const note = (given: DataTransfer | null): false => {
      data = { rtf: given?.getData('text/rtf') ?? '', files: [...(given?.files ?? [])] };
      return false;
    };
    return new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => decorate(doc, queue),
        apply: (tr, before, _old, { doc }) => (tr.docChanged || tr.getMeta(key) ? decorate(doc, queue) : before),
      },
      view: (view) => {
        const stop = queue.listen(() => applyUploads(view, queue));
        // Starts uploading the pictures of a restored draft.
        queueMicrotask(() => applyUploads(view, queue));
        return {
          update: (now, before) => {
            if (!now.state.doc.eq(before.doc)) applyUploads(now, queue);
          },
          destroy: () => {
            stop();
            queue.follow(new Set());
          },
        };
      },
      props: {
        decorations: (state) => key.getState(state),
        handleClickOn: (view, _pos, node, nodePos, event) => {
          if (node.type.name !== 'figure' || !(event.target instanceof HTMLImageElement)) return false;
          view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, nodePos)));
          return true;
        },
        handleDOMEvents: {
          paste: (_view, event) => note(event.clipboardData),
          drop: (_view, event) => note(event.dataTransfer),
        },
        handlePaste: (view, event) => insertFromTransfer(view, queue, event.clipboardData, undefined),
        handleDrop: (view, event, _slice, moved) => {
          return !moved && insertFromTransfer(view, queue, event.dataTransfer, positionAt(view, event));
        },
        transformPasted: (slice, view) => {
          const known = addressesIn(view.state.doc);
          const pictures: string[] = [];
          slice.content.descendants((node) => {
            if (isPicture(node)) pictures.push(String(node.attrs.src ?? ''));
          });
          const remote = pictures.filter((src) => isRemote(src) && !known.has(src));
          if (remote.length > 0) onRemote(remote);
          const words = slice.content.textBetween(0, slice.content.size);
          const source = { ...data, pictures, onlyPicture: pictures.length === 1 && !words.trim() };
          for (const src of pictures.filter((each) => isLocal(each) && !/^data:/i.test(each)))
            queue.expect(src, async () => (await import('../paste/pasted-picture.ts')).pastedPicture(src, source));
          return slice;
        },
      },
    });
  });

const key = new PluginKey<DecorationSet>('PICTURES');

const isRemote = (src: string): boolean =>
  /^https?:/i.test(src) && URL.canParse(src) && new URL(src).origin !== location.origin;

/**
 * Inserts the picture files of a paste or drop; returns false to paste its HTML or RTF instead. RTF takes precedence,
 * because office applications add a picture of the copied text. A picture copied in a browser takes precedence over its
 * HTML, unless its format (such as WebP) must be converted: then it is fetched from its URL in the HTML.
 */
function insertFromTransfer(
  view: EditorView,
  queue: UploadQueue,
  data: DataTransfer | null,
  pos: number | undefined,
): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length === 0 || data?.types.includes('text/rtf')) return false;
  const isKnown = files.some(({ type }) => !type.startsWith('image/') || IMAGE_ACCEPT.includes(type));
  if (data?.types.includes('text/html') && !(isKnown && isOnePicture(data.getData('text/html')))) return false;
  void insertPictures(view, queue, files, pos);
  return true;
}

/** Returns the position of a drop. Moves a point in the margin into the line, because browsers misplace drops there. */
function positionAt(view: EditorView, { clientX, clientY }: MouseEvent): number | undefined {
  const { left, right } = view.dom.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(view.dom);
  const [first, last] = [left + Number.parseFloat(paddingLeft) + 1, right - Number.parseFloat(paddingRight) - 1];
  return view.posAtCoords({ left: Math.min(Math.max(clientX, first), last), top: clientY })?.pos;
}

function isOnePicture(html: string): boolean {
  const body = inertBody(html);
  return body.querySelectorAll('img').length === 1 && !body.textContent?.trim();
}

function applyUploads(view: EditorView, queue: UploadQueue): void {
  if (view.isDestroyed) return;
  queue.follow(addressesIn(view.state.doc));
  const { tr } = view.state;
  const unfinished = new Set<string>();
  for (const { node, pos } of picturesOf(view.state.doc)) {
    const src = String(node.attrs.src);
    if (isLocal(src) && !queue.stageOf(src)) queue.add(src, localFile(src) ?? fileOfData(src));
    const stage = queue.stageOf(src);
    if (stage?.name === 'stored') {
      const { width, height } = sizeOf(node, stage.picture);
      tr.setNodeAttribute(pos, 'src', stage.picture.src);
      tr.setNodeAttribute(pos, 'width', width);
      tr.setNodeAttribute(pos, 'height', height);
    } else if (stage) unfinished.add(src);
  }
  const decorations = key.getState(view.state)?.find() ?? [];
  const statuses = new Set(decorations.flatMap(({ spec }) => spec.key ?? []));
  const stale = statuses.size !== unfinished.size || [...unfinished].some((src) => !statuses.has(src));
  if (tr.docChanged || stale) view.dispatch(tr.setMeta(key, true).setMeta('addToHistory', false));
}

/**
 * Returns the size to set for a stored picture. If the text sets a smaller width, keeps that width and scales the
 * height to match.
 */
function sizeOf({ attrs }: Node, { width, height }: { width: number; height: number }) {
  const given = /^\d{1,5}$/.test(String(attrs.width)) ? Number(attrs.width) : 0;
  const shown = given > 0 && given < width ? given : width;
  return { width: String(shown), height: String(Math.max(1, Math.round((shown * height) / width))) };
}

function decorate(doc: Node, queue: UploadQueue): DecorationSet {
  const statuses: Decoration[] = [];
  for (const { node, pos } of picturesOf(doc)) {
    const src = String(node.attrs.src ?? '');
    const stage = queue.stageOf(src);
    if (!stage || stage.name === 'stored' || stage.name === 'cancelled') continue;
    const end = pos + node.nodeSize;
    statuses.push(Decoration.node(pos, end, { class: 'uploading' }));
    const status = (view: EditorView) => createUploadStatus(queue, src, () => removePicture(view, src));
    statuses.push(
      Decoration.widget(end, status, {
        side: 1,
        key: src,
        ignoreSelection: true,
        stopEvent: () => true,
        destroy: (dom) => (dom as ReturnType<typeof createUploadStatus>).stop(),
      }),
    );
  }
  return DecorationSet.create(doc, statuses);
}

/** Removes a picture. Its caption text stays, and a paragraph that contained only the picture is removed. */
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

/** Inserts each picture in its own paragraph, in place of an empty paragraph at `pos` or below the block at `pos`. */
function insertAsParagraphs({ tr, doc, schema }: EditorState, addresses: readonly string[], pos: number): Transaction {
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

function fileOfData(src: string): File | undefined {
  const [, type = '', body = ''] = /^data:(image\/[a-z+.-]+);base64,(.*)$/is.exec(src) ?? [];
  try {
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    return bytes.length > 0 ? new File([bytes], `pasted.${type.split('/')[1]}`, { type }) : undefined;
  } catch {
    return undefined;
  }
}
