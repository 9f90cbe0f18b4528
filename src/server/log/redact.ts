/** Takes out of a text what is a person's own: mail addresses, queries, cookies, tokens. The log is read by many. */

const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // What somebody looked for, or was mailed: after a path or an address.
  [/((?:[a-z]+:\/\/|\/)[^\s?"'<>]*)\?[^\s"'<>)\]]+/gi, '$1?…'],
  [/\b(Bearer|Basic)\s+[^\s"',;]+/gi, '$1 …'],
  // Cookies and fields by their names.
  [
    /\b(a_session_\w+|cookie|set-cookie|authorization|x-appwrite-(?:key|jwt|session)|secret|password|token|jwt)(["']?\s*[=:]\s*["']?)[^\s"',;}]+/gi,
    '$1$2…',
  ],
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[a-z0-9-]+/gi, '…@…'],
];

/** The same text for an operator's eyes. */
export function redact(text: string): string {
  let left = text;
  for (const [pattern, replacement] of RULES) left = left.replace(pattern, replacement);
  return left;
}
