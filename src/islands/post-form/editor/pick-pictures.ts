/** Lets the writer pick pictures of this device for the text. */

import { IMAGE_ACCEPT } from '#blog/images.ts';

export function pickPictures(onPicked: (files: readonly File[]) => void): void {
  // Made for the moment: the form has one file field, which is the featured image.
  const input = Object.assign(document.createElement('input'), {
    type: 'file',
    multiple: true,
    accept: IMAGE_ACCEPT,
    hidden: true,
  });
  input.addEventListener('change', () => {
    input.remove();
    onPicked([...(input.files ?? [])]);
  });
  input.addEventListener('cancel', () => input.remove());
  // In the page until the writer has chosen: a field that nothing holds may be collected before that.
  document.body.append(input);
  input.click();
}
