/** What stands below a picture that is on its way: how far it is, why it failed, and what the writer can do about it. */

import { pictureText, progressLine } from '#blog/messages.ts';
import type { PictureTray, Stage } from './tray.ts';

/** An element that follows the upload of `address`, with buttons; call `stop` when it is taken away. */
export function uploadFace(tray: PictureTray, address: string, takeOut: () => void): HTMLElement & { stop(): void } {
  const face = element('span', 'upload-face');
  face.contentEditable = 'false';
  const progress = element('progress', 'upload-bar');
  progress.max = 100;
  progress.setAttribute('aria-label', pictureText.upload(tray.labelOf(address)));
  const words = element('span', 'upload-words');
  const tools = element('span', 'upload-tools');
  face.append(progress, words, tools);

  let shown: Stage['name'] | undefined;
  const show = () => {
    const stage = tray.stageOf(address);
    if (!stage) return;
    const failed = stage.name === 'failed';
    if (stage.name === 'sending' && stage.progress.percent > 0) progress.value = stage.progress.percent;
    else progress.removeAttribute('value');
    words.textContent = wordsFor(stage);
    if (shown === stage.name) return;
    // Buttons stay the same elements within a stage, so that the focus stays on them.
    shown = stage.name;
    progress.hidden = failed;
    face.classList.toggle('upload-failed', failed);
    tools.replaceChildren(...toolsFor(stage));
  };
  const toolsFor = (stage: Stage): HTMLElement[] => {
    const retry = () => button(pictureText.retry, () => tray.retry(address));
    const remove = (name: string) => button(name, takeOut);
    const stay = tray.stayOf(address);
    const leave = () => tray.leave(address);
    if (stage.name !== 'failed') return [stay ? button(pictureText.cancel, leave) : remove(pictureText.cancel)];
    return [...(stage.final ? [] : [retry()]), ...(stay ? [button(stay, leave)] : []), remove(pictureText.remove)];
  };
  show();
  const stop = tray.listen((changed) => changed === address && show());
  return Object.assign(face, { stop });
}

function wordsFor(stage: Stage): string {
  if (stage.name === 'failed') return stage.message;
  if (stage.name === 'sending') return progressLine(stage.progress);
  return stage.name === 'preparing' ? `${pictureText.preparing} …` : `${pictureText.waiting} …`;
}

function button(name: string, act: () => void): HTMLElement {
  const made = element('button', 'upload-tool');
  made.type = 'button';
  made.textContent = name;
  // The text keeps its selection.
  made.addEventListener('mousedown', (event) => event.preventDefault());
  made.addEventListener('click', act);
  return made;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
