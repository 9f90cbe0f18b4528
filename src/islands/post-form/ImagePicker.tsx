/** The featured image: picker or drop, checked by content, shown before it is sent. */

import { type ChangeEvent, useEffect, useState } from 'react';
import { IMAGE_ACCEPT, imageFault, previewUrl } from '#blog/images.ts';
import { postFormText } from '#blog/messages.ts';
import { Field } from '#components/Field.tsx';
import { currentSite } from '#stores/site.ts';

export interface PickedImage {
  readonly file?: File | undefined;
  /** What is wrong with what was chosen, in words. */
  readonly fault?: string | undefined;
}

interface ImagePickerProps {
  /** Id of the picture the post has now; empty when there is none. */
  readonly current: string;
  readonly picked: PickedImage;
  readonly onPick: (picked: PickedImage) => void;
}

export function ImagePicker({ current, picked, onPick }: ImagePickerProps) {
  const preview = useObjectUrl(picked.file);
  const shown = preview ?? (current && previewUrl(currentSite(), current, { width: 640, height: 427 }));

  const pick = async (file: File | undefined) => {
    if (!file) return;
    const fault = await imageFault(file);
    onPick(fault ? { fault } : { file });
  };

  return (
    <Field
      label={postFormText.featuredImage}
      error={picked.fault}
      help={picked.file ? nameAndSize(picked.file) : 'PNG, JPG, JPEG or GIF, at most 10 MB.'}
    >
      {(wiring) => (
        // The input lies over the frame and takes drops as well as presses.
        <div className="relative rounded-md border border-dashed border-edge hover:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent">
          <div className="picture rounded-md">
            {shown ? (
              <img src={shown} alt="" />
            ) : (
              <span className="px-4 text-center text-sm text-soft">Choose a picture, or drop one here</span>
            )}
          </div>
          {shown && (
            <span className="pointer-events-none absolute inset-x-0 bottom-0 z-1 rounded-b-md bg-paper/90 px-3 py-2 text-center text-sm font-medium">
              Choose another picture
            </span>
          )}
          <input
            {...wiring}
            type="file"
            accept={IMAGE_ACCEPT}
            onChange={(event: ChangeEvent<HTMLInputElement>) => void pick(event.currentTarget.files?.[0])}
            className="absolute inset-0 z-2 size-full cursor-pointer opacity-0"
          />
        </div>
      )}
    </Field>
  );
}

/** An address for a file on this device, given back when the file changes. */
function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

const nameAndSize = ({ name, size }: File) => `${name}, ${(size / 1_000_000).toFixed(size < 100_000 ? 2 : 1)} MB`;
