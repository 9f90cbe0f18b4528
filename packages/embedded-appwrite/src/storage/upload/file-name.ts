/** Maximum UTF-16 code units of a name, so that it fits into a response header. */
const LONGEST = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to remove
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Returns the extension in lower case without its dot, or an empty string. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * Removes folders and control characters, and shortens the name to 255 code units in total, keeping its extension.
 * Returns `file` if nothing is left.
 */
export function cleanFileName(raw: string): string {
  const name = raw
    .slice(Math.max(raw.lastIndexOf('/'), raw.lastIndexOf('\\')) + 1)
    .replace(CONTROL, '')
    .trim();
  if (name === '') return 'file';
  if (name.length <= LONGEST) return name;
  const extension = extensionOf(name).slice(0, 32);
  return `${name.slice(0, LONGEST - extension.length - 1)}.${extension}`;
}
