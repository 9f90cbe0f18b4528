/** Conditional requests: whether the browser holds these very bytes already (RFC 9110, 13.1.2). */

/**
 * True when `If-None-Match` names `etag`, by the weak comparison the RFC asks for: a proxy that recompresses a page
 * puts `W/` before our validator.
 */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(ENTITY_TAGS)?.some((held) => held === etag) ?? false;
}

/** The opaque tags of a list, without their `W/`. */
const ENTITY_TAGS = /"[\x21\x23-\x7e\x80-\xff]*"/g;
