import { arrange, type Node } from './room-layers.ts';
import type { Room } from './room-table.ts';

const BOX = { width: 160, height: 54 };
const GAP = 176;
const ROW = 104;
const MARGIN = 16;
const BAND = { height: 44, gap: 10 };
const LETTER_WIDTH = 6.4;
const LEGEND = ['An arrow: may import. Arrows that others imply are left out.', 'Blue: packages that know no blog.'];
const STYLE = `
    text { font: 11px ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; text-anchor: middle; fill: #57606a }
    .name { font-size: 13px; font-weight: 600; fill: #1f2328 }
    rect { fill: #fbf8f1; stroke: #b9ad93 }
    .packages { fill: #eaf1f8; stroke: #8fa9c4 }
    .legend { text-anchor: start }
    .band { fill: #f1f2f4; stroke: #c3c8cf }
    path { fill: none; stroke: #8c7f66; stroke-width: 1.3 }
    marker path { fill: #8c7f66; stroke: none }
    @media (prefers-color-scheme: dark) {
      text { fill: #9da7b3 }
      .name { fill: #f0f3f6 }
      rect { fill: #262219; stroke: #6d6350 }
      .packages { fill: #18232f; stroke: #4a6380 }
      .band { fill: #1c2026; stroke: #444c56 }
      path { stroke: #a89a7e }
      marker path { fill: #a89a7e }
    }`;

const shortName = (path: string) => path.slice(path.indexOf('/') + 1);
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

type Rectangle = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

function box(name: string, text: string, { x, y, width, height }: Rectangle, kind = 'room'): string {
  const lines = text.match(new RegExp(`.{1,${Math.floor(width / LETTER_WIDTH)}}(?: |$)`, 'g')) ?? [text];
  const middle = x + width / 2;
  const first = y + height / 2 + 5 - 7 * lines.length;
  const texts = lines.map(
    (line, at) => `<text x="${middle}" y="${first + 15 + 13 * at}">${escapeXml(line.trimEnd())}</text>`,
  );
  const frame = `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`;
  return `  <g>${frame}<text class="name" x="${middle}" y="${first}">${name}</text>${texts.join('')}</g>`;
}

/** Draws an SVG: free rooms, and rooms that import a free room, as bands; all others in layers joined by arrows. */
export function drawRooms(rooms: readonly Room[]): string {
  const isBand = ({ isFree, imports }: Room) =>
    isFree || rooms.some((other) => other.isFree && imports.includes(other.path));
  const bands = rooms.filter(isBand);
  const layered = rooms.filter((room) => !isBand(room));
  const ownerOf = (name: string) =>
    layered.find(({ path }) => name === path || name.startsWith(`${path}/`))?.path ?? name;
  const imports = new Map(layered.map(({ path, imports }) => [path, [...new Set(imports.map(ownerOf))]]));
  const { layers, lines } = arrange(imports, GAP);

  const xs = layers.flat().map(({ x }) => x);
  const left = Math.min(...xs) - BOX.width / 2 - MARGIN;
  const width = Math.round(Math.max(...xs) + BOX.width / 2 + MARGIN - left);
  const top = MARGIN + bands.length * (BAND.height + BAND.gap) + 8;
  const point = (node: Node) => ({ x: Math.round(node.x - left), y: top + (layers.length - 1 - node.level) * ROW });

  const drawnBands = bands.toReversed().map(({ path, contents, isFree, imports }, index) => {
    const y = MARGIN + index * (BAND.height + BAND.gap);
    const targets = isFree ? 'everything' : imports.map(shortName).join(', ');
    const at = { x: MARGIN, y, width: width - 2 * MARGIN, height: BAND.height };
    return box(shortName(path), `${contents} → ${targets}`, at, 'band');
  });
  const arrows = lines.map((line) => {
    const parts = line.slice(1).map((node, index) => {
      const [from, to] = [point(line[index] as Node), point(node)];
      const start = from.y + BOX.height;
      const end = node.isBend ? to.y : to.y - 3;
      const middle = (start + end) / 2;
      const curve = `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${end}`;
      return (index === 0 ? `M${from.x} ${start}` : `V${start}`) + curve;
    });
    return `  <path marker-end="url(#tip)" d="${parts.join('')}"/>`;
  });
  const nodes = layers.toReversed().flat();
  const boxes = nodes.flatMap((node) =>
    layered
      .filter(({ path }) => path === node.name)
      .map(({ path, contents }) => {
        const { x, y } = point(node);
        const caption = /^[^:;,(]*/.exec(contents)?.[0].trim() ?? '';
        return box(shortName(path), caption, { ...BOX, x: x - BOX.width / 2, y }, path.split('/')[0]);
      }),
  );
  const height = top + (layers.length - 1) * ROW + BOX.height + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '  <title>The rooms of Common Ink, and which may import which</title>',
    `  <style>${STYLE}\n  </style>`,
    '  <marker id="tip" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker>',
    ...drawnBands,
    ...LEGEND.map((line, index) => `  <text class="legend" x="${MARGIN}" y="${top + 14 + 17 * index}">${line}</text>`),
    ...arrows,
    ...boxes,
    '</svg>\n',
  ].join('\n');
}
