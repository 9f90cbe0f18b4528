/**
 * Folds a tag's name for comparison in browsers, which lack the transliteration tables. Ignores case, accents and
 * punctuation.
 */
export const foldedTag = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
