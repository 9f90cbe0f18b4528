/**
 * The id of a stored picture ends with its size, as in `6741f3-1600x900`: whoever shows it knows its shape before a byte
 * of it has come, and asks nobody (docs/decisions/015-pictures.md).
 */

export interface PictureSize {
  /** Of the picture as it is shown, in pixels. */
  readonly width: number;
  readonly height: number;
}

const SIZE = /-([1-9]\d{0,4})x([1-9]\d{0,4})$/;

/** @param unique at most 20 characters: an id has 36 */
export const pictureId = (unique: string, { width, height }: PictureSize): string => `${unique}-${width}x${height}`;

/** The size that the id tells; undefined for a file that got its id elsewhere. */
export function sizeInId(fileId: string): PictureSize | undefined {
  const [, width, height] = SIZE.exec(fileId) ?? [];
  return width && height ? { width: Number(width), height: Number(height) } : undefined;
}
