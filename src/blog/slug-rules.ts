/** The rule for slugs. A slug is the document's `$id`, so it follows Appwrite's rule for ids, in lower case. */

export const SLUG_MAX = 36;

/** Returns true for a valid slug. Check route parameters with it before asking the backend for a post. */
export const isSlug = (text: string): boolean => /^[a-z0-9][a-z0-9._-]{0,35}$/.test(text);
