export type IconKind = 'image' | 'video' | 'audio' | 'document' | 'archive' | 'text' | 'unknown';

const COLOURS: Readonly<Record<IconKind, string>> = {
  image: '#0f766e',
  video: '#9333ea',
  audio: '#c2410c',
  document: '#b91c1c',
  archive: '#a16207',
  text: '#1d4ed8',
  unknown: '#52525b',
};

const SIGNS: Readonly<Record<IconKind, string>> = {
  image: '<path d="M62 186l38-52 26 34 16-20 34 38z"/><circle cx="150" cy="124" r="13"/>',
  video: '<path d="M92 112l66 40-66 40z"/>',
  audio: '<path d="M110 108h56v22h-40v48a20 20 0 1 1-16-19z"/>',
  document: '<path d="M70 112h100v14H70zm0 30h100v14H70zm0 30h64v14H70z"/>',
  archive: '<path d="M112 40h16v16h-16zm0 32h16v16h-16zm0 32h16v16h-16zm-6 32h28v44h-28z"/>',
  text: '<path d="M70 112h70v10H70zm0 24h100v10H70zm0 24h84v10H70zm0 24h52v10H70z"/>',
  unknown: '<circle cx="88" cy="150" r="10"/><circle cx="120" cy="150" r="10"/><circle cx="152" cy="150" r="10"/>',
};

/** Returns the icon for a media type; `unknown` for an unfinished upload, whose type is empty. */
export function iconKind(mimeType: string): IconKind {
  const [group = ''] = mimeType.split('/');
  if (group === 'image' || group === 'video' || group === 'audio' || group === 'text') return group;
  if (/pdf|msword|officedocument|opendocument|ms-excel|ms-powerpoint|rtf|epub/.test(mimeType)) return 'document';
  if (/zip|tar|compressed|x-bzip|rar|xz|zstd/.test(mimeType)) return 'archive';
  if (/json|xml|javascript/.test(mimeType)) return 'text';
  return 'unknown';
}

/** Returns a PNG of 480 × 480 pixels, transparent around the drawn sheet of paper. */
export async function drawIcon(kind: IconKind): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const colour = COLOURS[kind];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 240 240">
    <path d="M52 16h92l48 48v148a12 12 0 0 1-12 12H60a12 12 0 0 1-12-12V28a12 12 0 0 1 12-12z" fill="#fff" stroke="${colour}" stroke-width="8" stroke-linejoin="round"/>
    <path d="M144 16v36a12 12 0 0 0 12 12h36" fill="none" stroke="${colour}" stroke-width="8" stroke-linejoin="round"/>
    <g fill="${colour}">${SIGNS[kind]}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
