/**
 * Reads pictures from RTF copied in a word processor. The copied HTML refers to files that a page cannot read, but the
 * RTF contains the same pictures in the same order (Rich Text Format 1.9.1, "Pictures").
 */

/** Returns the pictures in order; undefined for each one in a format that posts do not support, such as metafiles. */
export function picturesOfRtf(rtf: string): (File | undefined)[] {
  const pictures: (File | undefined)[] = [];
  const groups: Group[] = [{ ignored: false, hex: undefined, type: undefined }];
  const token = /[{}]|\\(?:([a-z]+)(-?\d+)? ?|[^a-z])/g;
  let end = 0;
  for (let found = token.exec(rtf); found; found = token.exec(rtf)) {
    const group = groups.at(-1) as Group;
    if (group.hex && found.index > end) group.hex.push(rtf.slice(end, found.index));
    end = token.lastIndex;
    const [sign, word, number] = found;
    if (sign === '{') groups.push({ ignored: group.ignored, hex: undefined, type: undefined });
    else if (sign === '}') {
      if (group.hex) pictures.push(fileOf(group.hex.join(''), group.type, pictures.length));
      if (groups.length > 1) groups.pop();
    } else if (word && IGNORED.has(word)) group.ignored = true;
    else if (word === 'pict' && !group.ignored) group.hex = [];
    else if (word && word in TYPES) group.type = word as keyof typeof TYPES;
    // Skips raw bytes, because they may look like tokens.
    else if (word === 'bin') token.lastIndex = end = end + Math.max(0, Number(number ?? 0));
  }
  return pictures;
}

interface Group {
  ignored: boolean;
  hex: string[] | undefined;
  type: keyof typeof TYPES | undefined;
}

const TYPES = { pngblip: 'png', jpegblip: 'jpeg' } as const;

/** RTF groups whose pictures are not part of the text: copies for older readers, bullets, headers and footers. */
const IGNORED = new Set([
  ...['nonshppict', 'shprslt', 'listpicture', 'background', 'objdata', 'themedata', 'datastore', 'blipuid'],
  ...['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf'],
]);

function fileOf(hex: string, type: Group['type'], index: number): File | undefined {
  const digits = hex.replace(/[^\da-f]+/gi, '');
  if (!type || digits.length < 2) return undefined;
  const valueAt = (at: number) => {
    const code = digits.charCodeAt(at);
    return (code & 15) + (code > 57 ? 9 : 0);
  };
  const bytes = new Uint8Array(digits.length >> 1);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (valueAt(2 * at) << 4) | valueAt(2 * at + 1);
  return new File([bytes], `pasted-${index + 1}.${TYPES[type]}`, { type: `image/${TYPES[type]}` });
}
