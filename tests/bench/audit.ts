import { freePort } from '@common-ink/http/free-port.ts';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { browserPath } from '../../scripts/test/browser.ts';

export const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Lighthouse's metrics, in milliseconds except `shift`, which has no unit. */
export const METRICS = {
  firstPaint: 'first-contentful-paint',
  largestPaint: 'largest-contentful-paint',
  blocking: 'total-blocking-time',
  shift: 'cumulative-layout-shift',
} as const;
export type Metric = keyof typeof METRICS;

export interface Weight {
  readonly requests: number;
  /** Bytes over the wire, including the answers' headers. */
  readonly bytes: number;
  readonly scriptBytes: number;
  readonly fontBytes: number;
  readonly imageBytes: number;
}

export interface Audit {
  /** Medians from 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  readonly metrics: Readonly<Record<Metric, number>>;
  readonly weight: Weight;
  /** Audits that kept a score below 100 in any run: `category: audit` with Lighthouse's explanation. */
  readonly faults: readonly string[];
}

/**
 * `simulate`: Lighthouse's model of slow 4G and a four times slower processor, used for its scores. `devtools`: the
 * same phone with its requests and processor really throttled.
 */
export type Throttling = 'simulate' | 'devtools';

export interface Auditor {
  audit(url: string, options: { readonly runs: number; readonly throttling?: Throttling }): Promise<Audit>;
  close(): Promise<void>;
}

export async function openAuditor(): Promise<Auditor> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', `--remote-debugging-port=${port}`],
  });
  return {
    async audit(url, { runs, throttling = 'simulate' }) {
      const flags: Flags = { port, output: 'json', logLevel: 'error', throttlingMethod: throttling };
      const results: Result[] = [];
      for (let run = 0; run < runs; run++) {
        const result = await lighthouse(url, { ...flags, onlyCategories: [...CATEGORIES] });
        if (!result) throw new Error(`Lighthouse gave no result for ${url}.`);
        const { runtimeError } = result.lhr;
        if (runtimeError) throw new Error(`Lighthouse could not judge ${url}: ${runtimeError.message}`);
        results.push(result.lhr);
      }
      return auditOf(results);
    },
    close: () => browser.close(),
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function auditOf(results: readonly Result[]): Audit {
  const each = <Key extends string>(keys: readonly Key[], value: (result: Result, key: Key) => number) =>
    Object.fromEntries(keys.map((key) => [key, median(results.map((result) => value(result, key)))])) as Record<
      Key,
      number
    >;
  return {
    scores: each(CATEGORIES, ({ categories }, name) => Math.round((categories[name]?.score ?? 0) * 100)),
    metrics: each(
      Object.keys(METRICS) as Metric[],
      ({ audits }, name) => audits[METRICS[name]]?.numericValue ?? Number.NaN,
    ),
    weight: weightOf(results[0] as Result),
    faults: [...new Set(results.flatMap(faultsOf))],
  };
}

function faultsOf({ categories, audits }: Result): string[] {
  return CATEGORIES.flatMap((name) =>
    (categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id];
      if (!audit || weight === 0 || audit.score === null || audit.score >= 0.9) return [];
      return [`${name}: ${id} (${audit.displayValue ?? audit.title})`];
    }),
  );
}

interface Asked {
  readonly transferSize: number;
  readonly resourceType?: string;
  readonly url: string;
}

function weightOf({ audits }: Result): Weight {
  const { details } = audits['network-requests'] ?? {};
  const items = details && 'items' in details ? (details.items as unknown as Asked[]) : [];
  const asked = items.filter(({ url }) => /^https?:/.test(url));
  const bytes = (type?: string) =>
    asked
      .filter(({ resourceType }) => type === undefined || resourceType === type)
      .reduce((sum, { transferSize }) => sum + transferSize, 0);
  return {
    requests: asked.length,
    bytes: bytes(),
    scriptBytes: bytes('Script'),
    fontBytes: bytes('Font'),
    imageBytes: bytes('Image'),
  };
}
