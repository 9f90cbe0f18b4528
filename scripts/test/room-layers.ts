/** Arranges rooms (folders with import rules) in layers, so that every import points down and few lines cross. */

export interface Node {
  readonly name: string;
  /** The node's layer, counted from the bottom. */
  readonly level: number;
  /** True for a bend, a point where a line passes through a layer; false for a room. */
  readonly isBend: boolean;
  /** Horizontal position of the node's centre. */
  x: number;
}
type Imports = ReadonlyMap<string, readonly string[]>;
type Step = readonly [upper: Node, lower: Node];

const STARTS = 50;
const ROUNDS = 200;

/** Leaves out imports that others imply: if A imports B and C, and B imports C, only A to B and B to C remain. */
function essential(imports: Imports): Imports {
  const reach = (name: string): string[] => (imports.get(name) ?? []).flatMap((next) => [next, ...reach(next)]);
  return new Map(
    [...imports].map(([name, all]) => {
      const implied = new Set(all.flatMap(reach));
      return [name, all.filter((other) => !implied.has(other))];
    }),
  );
}

/**
 * Returns the layers from the bottom up, and the lines. A line lists the nodes from an importing room down to the
 * imported one. Imports that others imply have no line. Rooms in a layer are at least `gap` apart.
 */
export function arrange(imports: Imports, gap: number) {
  const arrows = essential(imports);
  const levelOf = (name: string): number => Math.max(-1, ...(arrows.get(name) ?? []).map(levelOf)) + 1;
  const nodes = new Map([...arrows.keys()].map((name) => [name, { name, level: levelOf(name), isBend: false, x: 0 }]));
  const lines = [...arrows].flatMap(([from, targets]) =>
    targets.map((to): readonly Node[] => {
      const levels = Array.from({ length: levelOf(from) - levelOf(to) - 1 }, (_, index) => levelOf(from) - 1 - index);
      const bends = levels.map((level) => ({ name: `${from} to ${to}`, level, isBend: true, x: 0 }));
      return [nodes.get(from), ...bends, nodes.get(to)].filter((node) => node !== undefined);
    }),
  );
  const steps = lines.flatMap((line) => line.slice(1).map((lower, index): Step => [line[index] as Node, lower]));
  const all = new Set([...nodes.values(), ...lines.flat()]);
  const layers = Array.from({ length: Math.max(...[...all].map(({ level }) => level)) + 1 }, (_, level) =>
    [...all].filter((node) => node.level === level),
  );
  const sorted = Array.from({ length: STARTS }, (_, start) => sort(layers, steps, start));
  const best = sorted.reduce((one, other) => (other.cost < one.cost ? other : one));
  place(best.layers, steps, gap);
  return { layers: best.layers, lines };
}

const cross = ([a, b]: Step, [c, d]: Step) => a.level === c.level && (a.x - c.x) * (b.x - d.x) < 0;

/** Reorders the nodes within each layer for as long as that reduces crossings or shortens the lines. */
function sort(given: readonly Node[][], steps: readonly Step[], start: number) {
  // Each `start` produces its own initial order of the nodes, the same in every run.
  const shuffled = (layer: readonly Node[]) => {
    const key = (node: Node) => ((layer.indexOf(node) + 1) * (2 * start + 1)) % 97;
    return layer.toSorted((one, other) => key(one) - key(other));
  };
  const layers = given.map(shuffled);
  const number = (layer: readonly Node[]) => {
    for (const [index, node] of layer.entries()) node.x = index - layer.length / 2;
  };
  const costNow = () =>
    steps.reduce((sum, step, index) => {
      const crossed = steps.slice(index + 1).filter((other) => cross(step, other)).length;
      return sum + crossed * 100 + Math.abs(step[0].x - step[1].x);
    }, 0);
  const move = (layer: Node[], from: number, to: number) => {
    layer.splice(to, 0, ...layer.splice(from, 1));
    number(layer);
  };
  layers.forEach(number);
  let cost = costNow();
  for (let before = Number.POSITIVE_INFINITY; cost < before; ) {
    before = cost;
    for (const layer of layers) {
      for (const from of layer.keys()) {
        for (const to of layer.keys()) {
          move(layer, from, to);
          const now = costNow();
          if (now < cost) cost = now;
          else move(layer, to, from);
        }
      }
    }
  }
  return { layers, cost };
}

/** Moves each node towards its neighbours in the layers above and below, as far as there is space in its layer. */
function place(layers: readonly Node[][], steps: readonly Step[], gap: number): void {
  const between = (one?: Node, other?: Node) => ((one?.isBend ? 0.2 : 1) + (other?.isBend ? 0.2 : 1)) * (gap / 2);
  for (const layer of layers) for (const [index, node] of layer.entries()) node.x = (index - layer.length / 2) * gap;
  for (let round = 0; round < ROUNDS; round++) {
    for (const layer of round % 2 === 0 ? layers : layers.toReversed()) {
      for (const [index, node] of layer.entries()) {
        const near = steps
          .filter((step) => step.includes(node))
          .map(([upper, lower]) => (upper === node ? lower : upper));
        const wanted = near.reduce((sum, { x }) => sum + x, 0) / near.length;
        const [left, right] = [layer[index - 1], layer[index + 1]];
        const least = left ? left.x + between(left, node) : Number.NEGATIVE_INFINITY;
        const most = right ? right.x - between(node, right) : Number.POSITIVE_INFINITY;
        node.x = Math.max(least, Math.min(most, near.length > 0 ? wanted : node.x));
      }
    }
  }
}
