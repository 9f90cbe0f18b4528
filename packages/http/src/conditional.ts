/** Compares ETags, ignoring `W/` (RFC 9110, 13.1.2), because a proxy that recompresses a page adds it to the ETag. */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(ENTITY_TAGS)?.some((held) => held === etag) ?? false;
}

const ENTITY_TAGS = /"[\x21\x23-\x7e\x80-\xff]*"/g;
