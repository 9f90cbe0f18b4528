/** Pictures for the sample posts: abstract compositions in paper and ink, drawn by code and the same on every run. */

import sharp from 'sharp';

export type DrawingName = 'hills' | 'blots' | 'measure' | 'fibres' | 'arcs' | 'canon';

const [WIDTH, HEIGHT] = [1600, 1067];
const PAPER = '#f1eadb';
const INK = '#1d1c1a';
const BLUE = '#27398a';
const RED = '#c2452d';
const OCHRE = '#d6a445';
const SAGE = '#7f9a86';

/** The picture as JPEG, 1600 × 1067. */
export function drawPicture(name: DrawingName): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${TEXTURE}<rect width="100%" height="100%" fill="${PAPER}"/>${drawings[name]()}<rect width="100%" height="100%" fill="url(#paper)" opacity="0.16"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 86, mozjpeg: true }).toBuffer();
}

/** The tooth of the paper, and an edge that ink makes when it runs. */
const TEXTURE = `<defs>
  <filter id="tooth" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.75" numOctaves="2" seed="4" stitchTiles="stitch"/><feColorMatrix values="0 0 0 0 0.35  0 0 0 0 0.3  0 0 0 0 0.22  0 0 0 0.9 -0.25"/></filter>
  <pattern id="paper" width="400" height="400" patternUnits="userSpaceOnUse"><rect width="400" height="400" filter="url(#tooth)"/></pattern>
  <filter id="bleed" x="-20%" y="-20%" width="140%" height="140%"><feTurbulence type="fractalNoise" baseFrequency="0.012" numOctaves="3" seed="9" result="n"/><feDisplacementMap in="SourceGraphic" in2="n" scale="70" xChannelSelector="R" yChannelSelector="G"/></filter>
  <filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="34"/></filter>
</defs>`;

const drawings: Record<DrawingName, () => string> = { hills, blots, measure, fibres, arcs, canon };

/** Washes laid one over the other, darker as they come nearer, under a low sun. */
function hills(): string {
  const random = sequence(7);
  const ridge = (base: number, height: number) => {
    const waves = Array.from({ length: 4 }, (_, n) => ({
      length: 900 / (n + 1) + random() * 300,
      phase: random() * 7,
      size: height / (n + 1),
    }));
    const line = steps(0, WIDTH, 8).map(
      (x) =>
        `${x} ${round(base - waves.reduce((sum, { length, phase, size }) => sum + size * Math.sin((x / length) * Math.PI * 2 + phase), 0))}`,
    );
    return `M0 ${HEIGHT} L${line.join(' L')} L${WIDTH} ${HEIGHT} Z`;
  };
  const washes = Array.from(
    { length: 7 },
    (_, n) =>
      `<path d="${ridge(430 + n * 92, 34 + n * 7)}" fill="${n === 2 ? BLUE : INK}" opacity="${round(0.1 + n * 0.085)}"/>`,
  );
  return `<circle cx="1130" cy="330" r="118" fill="${RED}" opacity="0.9"/>${washes.join('')}`;
}

/** Drops that fell on wet paper: a dark heart, a run edge, a halo. */
function blots(): string {
  const random = sequence(23);
  const drop = (x: number, y: number, r: number, colour: string) =>
    `<g><circle cx="${x}" cy="${y}" r="${round(r * 1.35)}" fill="${colour}" opacity="0.13" filter="url(#soft)"/><g filter="url(#bleed)"><circle cx="${x}" cy="${y}" r="${r}" fill="${colour}" opacity="0.55"/><circle cx="${x}" cy="${y}" r="${round(r * 0.9)}" fill="${colour}" opacity="0.6"/><circle cx="${round(x + r * 0.12)}" cy="${round(y - r * 0.1)}" r="${round(r * 0.55)}" fill="${INK}" opacity="0.6"/></g></g>`;
  const spray = Array.from({ length: 46 }, () => {
    const [angle, far] = [random() * Math.PI * 2, 300 + random() * 430];
    return `<circle cx="${round(690 + Math.cos(angle) * far * 1.3)}" cy="${round(520 + Math.sin(angle) * far * 0.8)}" r="${round(2 + random() ** 3 * 22)}" fill="${INK}" opacity="${round(0.4 + random() * 0.5)}"/>`;
  });
  return `${drop(650, 520, 255, BLUE)}${drop(1130, 400, 128, INK)}${drop(1010, 800, 84, '#5a3a26')}${drop(330, 830, 52, INK)}${spray.join('')}`;
}

/** A column of lines, ragged on the right, on a baseline grid; one line is spoken. */
function measure(): string {
  const random = sequence(3);
  const grid = steps(110, 960, 50).map(
    (y) => `<path d="M90 ${y + 20} H1510" stroke="${BLUE}" stroke-width="1" opacity="0.22"/>`,
  );
  const lines = steps(110, 930, 50).map((y, n) => {
    if (n === 5 || n === 11) return '';
    const [start, end] = [520 + (n === 6 || n === 12 ? 46 : 0), n === 4 || n === 10 ? 860 : 1150 + random() * 60];
    let x = start;
    const words: string[] = [];
    while (x < end - 30) {
      const wide = Math.min(24 + random() * 96, end - x);
      words.push(`<rect x="${round(x)}" y="${y - 3}" width="${round(wide)}" height="23" rx="2"/>`);
      x += wide + 14;
    }
    return `<g fill="${n === 8 ? RED : INK}" opacity="${n === 8 ? 0.95 : 0.82}">${words.join('')}</g>`;
  });
  const edge = (x: number) => `<path d="M${x} 60 V1007" stroke="${RED}" stroke-width="1.5" opacity="0.7"/>`;
  return `${grid.join('')}<circle cx="270" cy="300" r="120" fill="${OCHRE}" opacity="0.85"/>${lines.join('')}${edge(505)}${edge(1215)}`;
}

/** Fibres carried by one current around two stones. */
function fibres(): string {
  const random = sequence(41);
  const stones = [
    { x: 560, y: 430, r: 150 },
    { x: 1120, y: 700, r: 105 },
  ];
  const threads = Array.from({ length: 620 }, () => {
    let [x, y] = [random() * (WIDTH + 300) - 200, random() * HEIGHT];
    // A thread that begins in a stone has nowhere to go.
    if (stones.some((stone) => Math.hypot(x - stone.x, y - stone.y) < stone.r)) return '';
    const points = [`${round(x)} ${round(y)}`];
    for (let n = 0; n < 26; n++) {
      // The current, and what a round stone does to one: potential flow around a cylinder.
      let [along, across] = [1, 0.12 * Math.sin(x / 310 + y / 190) + 0.04];
      for (const stone of stones) {
        const [dx, dy] = [x - stone.x, y - stone.y];
        const far = Math.max(dx * dx + dy * dy, stone.r * stone.r);
        along -= (stone.r ** 2 * (dx * dx - dy * dy)) / far ** 2;
        across -= (2 * stone.r ** 2 * dx * dy) / far ** 2;
      }
      const speed = Math.hypot(along, across) || 1;
      x += (along / speed) * 13;
      y += (across / speed) * 13;
      points.push(`${round(x)} ${round(y)}`);
    }
    const colour = random() < 0.06 ? RED : random() < 0.2 ? SAGE : random() < 0.3 ? BLUE : INK;
    return `<polyline points="${points.join(' ')}" stroke="${colour}" stroke-width="${round(0.6 + random() * 1.9)}" opacity="${round(0.25 + random() * 0.5)}"/>`;
  });
  const shown = stones.map(
    ({ x, y, r }, n) =>
      `<circle cx="${x}" cy="${y}" r="${round(r * 0.86)}" fill="${n === 0 ? OCHRE : INK}" opacity="0.92"/>`,
  );
  return `<g fill="none" stroke-linecap="round">${threads.join('')}</g>${shown.join('')}`;
}

/** Places on a line and the links between them: above what was written, below what was read. */
function arcs(): string {
  const random = sequence(12);
  const places = Array.from({ length: 19 }, (_, n) => 130 + n * 74.5);
  const links = Array.from({ length: 64 }, () => {
    const [from, to] = [Math.floor(random() * places.length), Math.floor(random() * places.length)];
    if (from === to) return '';
    const [a, b] = [places[Math.min(from, to)] ?? 0, places[Math.max(from, to)] ?? 0];
    const r = (b - a) / 2;
    const above = random() < 0.62;
    const colour = random() < 0.12 ? RED : above ? BLUE : INK;
    return `<path d="M${round(a)} 610 A${round(r)} ${round(r * 0.84)} 0 0 ${above ? 1 : 0} ${round(b)} 610" stroke="${colour}" stroke-width="${round(1 + random() * 2.6)}" opacity="${round(0.35 + random() * 0.5)}"/>`;
  });
  const points = places.map(
    (x, n) =>
      `<circle cx="${round(x)}" cy="610" r="${n === 7 ? 24 : round(6 + random() * 9)}" fill="${n === 7 ? RED : INK}"/>`,
  );
  return `<path d="M60 610 H1540" stroke="${INK}" stroke-width="2"/><g fill="none">${links.join('')}</g>${points.join('')}`;
}

/** The old construction of a book page by diagonals, on a spread. */
function canon(): string {
  const [w, h, top] = [590, 885, 91];
  const [left, fold, right] = [800 - w, 800, 800 + w];
  const bottom = top + h;
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `<path d="M${round(x1)} ${round(y1)} L${round(x2)} ${round(y2)}"/>`;
  const area = (x: number, colour: string) =>
    `<rect x="${round(x)}" y="${round(top + h / 9)}" width="${round((w * 6) / 9)}" height="${round((h * 6) / 9)}" fill="${colour}"/>`;
  const construction = [
    line(left, bottom, right, top),
    line(right, bottom, left, top),
    line(left, bottom, fold, top),
    line(right, bottom, fold, top),
    line(fold - w / 3, top + h / 3, fold - w / 3, top),
    line(fold + w / 3, top + h / 3, fold + w / 3, top),
    line(fold - w / 3, top, fold + w / 3, top + h / 3),
    line(fold + w / 3, top, fold - w / 3, top + h / 3),
  ];
  const points = [fold - w / 3, fold + w / 3].map(
    (x) => `<circle cx="${round(x)}" cy="${round(top + h / 3)}" r="9" fill="${RED}"/>`,
  );
  return `<rect x="${left}" y="${top}" width="${w * 2}" height="${h}" fill="#faf6ec"/><g opacity="0.92">${area(left + (w * 2) / 9, BLUE)}${area(fold + w / 9, INK)}</g><g fill="none" stroke="${RED}" stroke-width="2.5" opacity="0.85">${construction.join('')}</g><path d="M${fold} ${top} V${bottom}" stroke="${INK}" stroke-width="2"/><rect x="${left}" y="${top}" width="${w * 2}" height="${h}" fill="none" stroke="${INK}" stroke-width="2"/>${points.join('')}`;
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const steps = (from: number, to: number, by: number): number[] =>
  Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, n) => from + n * by);
const round = (value: number): number => Math.round(value * 100) / 100;
