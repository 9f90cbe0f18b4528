/** The featured image: picked, dropped or pasted, checked by content, made ready and shown before it is sent. */

import { type ChangeEvent, type ClipboardEvent, useEffect, useRef, useState } from 'react';
import { IMAGE_ACCEPT, previewUrl } from '#blog/images.ts';
import { isUnreachable, pictureText, postFormText, uploadMessage } from '#blog/messages.ts';
import { Field } from '#components/Field.tsx';
import { pictureFault, prepared } from '#stores/media.ts';
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
  /** It is being sent: nothing else can be chosen now. */
  readonly frozen: boolean;
  readonly onPick: (picked: PickedImage) => void;
}

export function ImagePicker({ current, picked, frozen, onPick }: ImagePickerProps) {
  const [preparing, setPreparing] = useState(false);
  const turn = useRef(0);
  const preview = useObjectUrl(picked.file);
  const shown = preview ?? (current && previewUrl(currentSite(), current, { width: 640, height: 427 }));

  const pick = async (file: File | undefined) => {
    if (!file) return;
    turn.current += 1;
    const mine = turn.current;
    const fault = await pictureFault(file);
    if (mine !== turn.current) return;
    onPick(fault ? { fault } : { file });
    if (fault) return;
    setPreparing(true);
    // What is sent is what is shown. A save that comes first waits for it.
    const made = await prepared(file).then(
      (ready) => ({ file: ready }),
      // Its part of the page did not come: saving prepares it then.
      (error: unknown) => (isUnreachable(error) ? { file } : { fault: uploadMessage(error) }),
    );
    // Chosen anew meanwhile.
    if (mine !== turn.current) return;
    setPreparing(false);
    onPick(made);
  };
  const paste = (event: ClipboardEvent) => {
    const file = event.clipboardData.files[0];
    if (!file) return;
    event.preventDefault();
    void pick(file);
  };

  return (
    <Field label={postFormText.featuredImage} error={picked.fault} help={helpFor(picked.file, preparing)}>
      {(wiring) => (
        // The input lies over the frame and takes drops as well as presses.
        <div
          className="relative rounded-md border border-dashed border-edge hover:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent"
          onPaste={paste}
          inert={frozen}
        >
          <div className="picture rounded-md">
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
            onChange={(event: ChangeEvent<HTMLInputElement>) => {
              void pick(event.currentTarget.files?.[0]);
              // The same file, mended meanwhile, may be chosen again.
              event.currentTarget.value = '';
            }}
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

function helpFor(file: File | undefined, preparing: boolean): string {
  if (!file) return postFormText.imageHelp;
  return preparing ? `${pictureText.preparing} …` : nameAndSize(file);
}

const nameAndSize = ({ name, size }: File) => `${name}, ${(size / 1_000_000).toFixed(size < 100_000 ? 2 : 1)} MB`;
