/**
 * The id of a stored picture ends with its size, as in `6741f3-1600x900`, so that pages know its shape without a
 * request (docs/decisions/015-pictures.md).
 */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const SIZE = /-([1-9]\d{0,4})x([1-9]\d{0,4})$/;

/** Returns an id for a picture of this size. `unique` has at most 20 characters, because Appwrite limits ids to 36. */
export const pictureId = (unique: string, { width, height }: PictureSize): string => `${unique}-${width}x${height}`;

export function sizeInId(fileId: string): PictureSize | undefined {
  const [, width, height] = SIZE.exec(fileId) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}
