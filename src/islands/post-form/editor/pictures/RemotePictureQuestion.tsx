import type { EditorView } from '@milkdown/kit/prose/view';
import { secureAddress } from '#blog/images.ts';
import { remotePictureText } from '#blog/messages/remote-pictures.ts';
import { Button } from '#components/controls/Button.tsx';
import { fetchRemotePicture } from '#stores/pictures/remote-pictures.ts';
import type { UploadQueue } from './upload-queue.ts';

interface RemotePictureQuestionProps {
  readonly view: EditorView;
  readonly queue: UploadQueue;
  readonly addresses: readonly string[];
  readonly remove: (address: string) => void;
  readonly onAnswer: () => void;
}

export function RemotePictureQuestion({ view, queue, addresses, remove, onAnswer }: RemotePictureQuestionProps) {
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const listed = `${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ' …' : ''}`;
  const { length } = addresses;
  const unsafe = addresses.filter((address) => secureAddress(address, location.origin) !== address).length;
  const stay = remotePictureText.keepThere({ count: 1 });
  const copy = (address: string) => queue.copyRemote(address, (signal) => fetchRemotePicture(address, signal), stay);
  const answers: readonly (readonly [string, ((address: string) => void)?])[] = [
    [remotePictureText.copy({ count: length }), copy],
    [remotePictureText.keepThere({ count: length })],
    [remotePictureText.removeAll({ count: length }), remove],
  ];
  return (
    <section aria-label={remotePictureText.label} className="grid gap-3">
      <p role="alert">
        {remotePictureText.fromElsewhere({ count: length, hosts: listed })}
        {unsafe > 0 && ` ${remotePictureText.unsafe({ count: unsafe })}`}
      </p>
      <div className="flex flex-wrap gap-2">
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
