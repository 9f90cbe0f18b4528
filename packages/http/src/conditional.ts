/** Returns true if a tag matches weakly (RFC 9110, 13.1.2): a proxy that recompresses a page adds `W/` to its ETag. */
export function matchesIfNoneMatch(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag) return true;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.match(ENTITY_TAGS)?.some((held) => held === etag) ?? false;
}

const ENTITY_TAGS = /"[\x21\x23-\x7e\x80-\xff]*"/g;
