/** Asks what becomes of pasted pictures that lie on other sites: copied, left there, or taken out. */

import type { EditorView } from '@milkdown/kit/prose/view';
import { remotePictureText } from '#blog/messages/remote-pictures.ts';
import { Button } from '#components/Button.tsx';
import { fetchRemotePicture } from '#stores/remote-pictures.ts';
import type { PictureTray } from '../tray.ts';

interface QuestionProps {
  readonly view: EditorView;
  readonly tray: PictureTray;
  /** Of pictures in the text, one at least. */
  readonly addresses: readonly string[];
  /** Takes the picture out of the text. */
  readonly remove: (address: string) => void;
  readonly onAnswer: () => void;
}

export function Question({ view, tray, addresses, remove, onAnswer }: QuestionProps) {
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const { length } = addresses;
  const answers: readonly (readonly [string, ((address: string) => void)?])[] = [
    [remotePictureText.copy(length), copy],
    [remotePictureText.keepThere(length)],
    [remotePictureText.removeAll(length), remove],
  ];
  function copy(address: string) {
    tray.copy(address, (signal) => fetchRemotePicture(address, signal), remotePictureText.keepThere(1));
  }
  return (
    <section aria-label={remotePictureText.label} className="editor-question">
      <p role="alert">{remotePictureText.fromElsewhere(length, listed(hosts))}</p>
      <div>
        {answers.map(([name, act]) => (
          <Button
            key={name}
            tone="quiet"
            onClick={() => {
              if (act) addresses.forEach(act);
              onAnswer();
              view.focus();
            }}
          >
            {name}
          </Button>
        ))}
      </div>
    </section>
  );
}

const listed = (hosts: readonly string[]): string =>
  hosts.length > 3 ? `${hosts.slice(0, 3).join(', ')} …` : hosts.join(', ');
