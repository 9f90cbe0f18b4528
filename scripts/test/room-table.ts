import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ARCHITECTURE = join(import.meta.dirname, '..', '..', 'docs', 'architecture.md');
const HEADING = '| room ';

export interface Room {
  /** Path of the room's folder in the checkout, such as `src/blog` or `packages/http`. */
  readonly path: string;
  /** Text of the table's “contents” column for this room. */
  readonly contents: string;
  /** Paths that the room may import: other rooms, or parts of them (such as `src/backend/server`). */
  readonly imports: readonly string[];
  /** True if the room may import every other room. */
  readonly isFree: boolean;
}

/** Returns the rooms in the table of docs/architecture.md. @throws Error if a row names a room that has no row */
export function readRooms(text = readFileSync(ARCHITECTURE, 'utf8')): Room[] {
  const [, , ...lines] = text.slice(text.indexOf(HEADING)).split('\n\n', 1)[0]?.split('\n') ?? [];
  const rows = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const paths = rows.map(([, name = '']) => name.replaceAll('`', ''));
  const pathOf = (name: string) => {
    const [first = '', ...rest] = name.split('/');
    const path = paths.find((known) => known.slice(known.indexOf('/') + 1) === first);
    if (!path) throw new Error(`docs/architecture.md: “${name}” is not a room of the table.`);
    return [path, ...rest].join('/');
  };
  return rows.map(([, , contents = '', names = ''], at) => ({
    path: paths[at] ?? '',
    contents: contents.replaceAll('`', ''),
    imports: ['nothing', 'everything'].includes(names) ? [] : names.split(', ').map(pathOf),
    isFree: names === 'everything',
  }));
}
