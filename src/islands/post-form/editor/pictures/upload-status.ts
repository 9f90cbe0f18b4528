import { pictureText, progressLine } from '#blog/messages.ts';
import type { UploadQueue, UploadStage } from './upload-queue.ts';

export function createUploadStatus(
  queue: UploadQueue,
  address: string,
  takeOut: () => void,
): HTMLElement & { stop(): void } {
  const status = element('span', 'upload-status');
  status.contentEditable = 'false';
  const progress = element('progress', 'upload-bar');
  progress.max = 100;
  progress.setAttribute('aria-label', pictureText.upload({ name: queue.uploadOf(address)?.label ?? '' }));
  const words = element('span', 'upload-words');
  const tools = element('span', 'upload-tools');
  status.append(progress, words, tools);

  let shown: UploadStage['name'] | undefined;
  const show = () => {
    const stage = queue.stageOf(address);
    if (!stage) return;
    const failed = stage.name === 'failed';
    if (stage.name === 'sending' && stage.progress.percent > 0) progress.value = stage.progress.percent;
    else progress.removeAttribute('value');
    words.textContent = wordsFor(stage);
    if (shown === stage.name) return;
    // Replaces the buttons only when the stage changes, so that progress updates do not take the focus from a button.
    shown = stage.name;
    progress.hidden = failed;
    status.classList.toggle('upload-failed', failed);
    tools.replaceChildren(...toolsFor(stage));
  };
  const toolsFor = (stage: UploadStage): HTMLElement[] => {
    const retry = button(pictureText.retry, () => queue.retry(address));
    const remove = (name: string) => button(name, takeOut);
    const stay = queue.uploadOf(address)?.stay;
    const leave = () => queue.leave(address);
    if (stage.name !== 'failed') return [stay ? button(pictureText.cancel, leave) : remove(pictureText.cancel)];
    return [...(stage.final ? [] : [retry]), ...(stay ? [button(stay, leave)] : []), remove(pictureText.remove)];
  };
  show();
  const stop = queue.listen((changed) => changed === address && show());
  return Object.assign(status, { stop });
}

function wordsFor(stage: UploadStage): string {
  if (stage.name === 'failed') return stage.message;
  if (stage.name === 'sending') return progressLine(stage.progress);
  return stage.name === 'preparing' ? `${pictureText.preparing} …` : `${pictureText.waiting} …`;
}

function button(name: string, act: () => void): HTMLElement {
  const made = element('button', 'upload-tool');
  made.type = 'button';
  made.textContent = name;
  made.addEventListener('mousedown', (event) => event.preventDefault());
  made.addEventListener('click', act);
  return made;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
