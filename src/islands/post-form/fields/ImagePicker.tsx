import type { ClipboardEvent, ReactNode } from 'react';
import { IMAGE_ACCEPT, previewUrl } from '#blog/images.ts';
import { language } from '#blog/messages/language.ts';
import { pictureText, postFormText } from '#blog/messages.ts';
import { Field } from '#components/controls/Field.tsx';
import { currentSite } from '#stores/site.ts';
import { useObjectUrl } from '../editor/pictures/local-files.ts';
import type { PickedImage } from './use-picked-image.ts';

interface ImagePickerProps {
  readonly current: string;
  readonly picked: PickedImage;
  readonly frozen: boolean;
  readonly onChoose: (file: File) => void;
}

export function ImagePicker({ current, picked, frozen, onChoose }: ImagePickerProps) {
  const preview = useObjectUrl(picked.file);
  const shown = preview ?? (current && previewUrl(currentSite(), current, { width: 640, height: 427 }));

  const paste = (event: ClipboardEvent) => {
    const file = event.clipboardData.files[0];
    if (!file) return;
    event.preventDefault();
    onChoose(file);
  };

  return (
    <Field label={postFormText.featuredImage} error={picked.fault} help={helpFor(picked)} swaps>
      {(wiring) => (
        // The file input covers the frame, so that it receives clicks and dropped files.
        <div
          className="relative rounded-md border border-dashed border-edge hover:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent"
          onPaste={paste}
          inert={frozen}
        >
          <div className={shown ? 'picture rounded-md' : 'picture grid aspect-auto h-20 place-items-center rounded-md'}>
            {shown ? (
              <img src={shown} alt="" />
            ) : (
              <span className="px-4 text-center text-sm text-soft">{postFormText.chooseImage}</span>
            )}
          </div>
          {shown && (
            <span className="pointer-events-none absolute inset-x-0 bottom-0 z-1 rounded-b-md bg-paper/90 px-3 py-2 text-center text-sm font-medium">
              {postFormText.chooseAnother}
            </span>
          )}
          <input
            {...wiring}
            type="file"
            accept={IMAGE_ACCEPT}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) onChoose(file);
              // Lets the writer choose the same file again after editing it.
              event.currentTarget.value = '';
            }}
            className="absolute inset-0 z-2 size-full cursor-pointer opacity-0"
          />
        </div>
      )}
    </Field>
  );
}

function helpFor({ file, busy }: PickedImage): ReactNode {
  if (busy) return `${pictureText.preparing} …`;
  // A long name is truncated, so that the fields below do not move.
  return file ? <span className="block truncate">{nameAndSize(file)}</span> : postFormText.imageHelp;
}

function nameAndSize({ name, size }: File): string {
  const small = size < 1_000_000;
  const value = (size / (small ? 1000 : 1_000_000)).toLocaleString(language(), {
    maximumFractionDigits: small ? 0 : 1,
  });
  return `${name}, ${value} ${small ? 'kB' : 'MB'}`;
}
