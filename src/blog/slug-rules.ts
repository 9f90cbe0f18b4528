/** What a slug may be. It is the document's `$id`, so Appwrite's rule for ids holds, in lower case (product.md, "How the spec is read"). */

/** Longest slug in characters: the longest id Appwrite takes. */
export const SLUG_MAX = 36;

/** True for a text that can be a post's slug. Use it on route parameters, before the backend is asked. */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,35}$/.test(text);
