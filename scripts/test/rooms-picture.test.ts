import { expect, test } from 'vitest';
import { readRooms } from './room-table.ts';
import { drawRooms } from './rooms-picture.ts';

const TABLE = `# Rooms

| room | contents | may import |
| --- | --- | --- |
| \`src/top\` | what is on top: a & b | middle, base/part |
| \`src/middle\` | the middle | base |
| \`packages/base\` | the base | nothing |
| \`src/server\` | the server | everything |
| \`scripts\` | commands | server, base |

Text after the table.
`;

const rooms = readRooms(TABLE);
const picture = drawRooms(rooms);
const boxes = [...picture.matchAll(/<rect class="\w+" x="(\d+)" y="(\d+)".*?class="name".*?>([^<]*)</g)].map(
  ([, x, y, name]) => ({
    name,
    x: Number(x),
    y: Number(y),
  }),
);
const heightOf = (name: string) => boxes.find((box) => box.name === name)?.y ?? Number.NaN;

test('reads which rooms and parts of rooms each room may import', () => {
  expect(rooms.map(({ path, imports }) => [path, imports])).toEqual([
    ['src/top', ['src/middle', 'packages/base/part']],
    ['src/middle', ['packages/base']],
    ['packages/base', []],
    ['src/server', []],
    ['scripts', ['src/server', 'packages/base']],
  ]);
  expect(rooms.filter(({ isFree }) => isFree).map(({ path }) => path)).toEqual(['src/server']);
});

test('rejects a table in which a room may import one that has no row', () => {
  expect(() => readRooms(TABLE.replace('| base |', '| cellar |'))).toThrow('“cellar” is not a room');
});

test('draws every room once, above the rooms that it imports', () => {
  expect(boxes.map(({ name }) => name).sort()).toEqual(['base', 'middle', 'scripts', 'server', 'top']);
  const heights = ['scripts', 'server', 'top', 'middle', 'base'].map(heightOf);
  expect(heights).toEqual(heights.toSorted((one, other) => one - other));
});

test('leaves out the arrow from a room to one that it reaches by another', () => {
  expect(picture.match(/<path marker-end/g)).toHaveLength(2);
});

test('draws the same table the same way, and another table another way', () => {
  expect(drawRooms(readRooms(TABLE))).toBe(picture);
  expect(drawRooms(readRooms(TABLE.replace('middle, base/part', 'middle, base')))).toBe(picture);
  expect(drawRooms(readRooms(TABLE.replace('| base |', '| nothing |')))).not.toBe(picture);
});

test('escapes the text of a room', () => {
  const name = 'a & b <script>';
  expect(drawRooms(readRooms(TABLE.replace('| the middle |', `| ${name} |`)))).toContain('a &amp; b &lt;script>');
});
