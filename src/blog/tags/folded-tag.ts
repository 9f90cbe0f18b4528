/**
 * A tag's name as it is compared where the tables of the world's scripts are not at hand, which is in a browser: case,
 * accents and marks make no other tag.
 */
export const foldedTag = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
