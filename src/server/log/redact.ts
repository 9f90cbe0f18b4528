/** Removes personal data from a text: mail addresses, queries, cookies, tokens. */

const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Queries, after a path or a URL.
  [/((?:[a-z]+:\/\/|\/)[^\s?"'<>]*)\?[^\s"'<>)\]]+/gi, '$1?…'],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  [
    /\b(a_session_\w+|cookie|set-cookie|authorization|x-appwrite-(?:key|jwt|session)|secret|password|token|jwt)(["']?\s*[=:]\s*["']?)[^\s"',;}]+/gi,
    '$1$2…',
  ],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[a-z0-9-]+/gi, '…@…'],
];

export function redact(text: string): string {
  let left = text;
  for (const [pattern, replacement] of RULES) left = left.replace(pattern, replacement);
  return left;
}
