/** Writes Prometheus' text format 0.0.4. */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
}

export interface Family {
  /** Ends in its base unit: `_seconds`, `_bytes`, `_total`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Returns a family without labels; none for an unknown value. */
export function single(type: 'counter' | 'gauge', name: string, help: string, value: number | undefined): Family[] {
  return value === undefined ? [] : [{ name, help, type, samples: [{ value }] }];
}

export function byLabel(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Family {
  const samples = Object.entries(values).map(([key, value]) => ({ value, labels: { [label]: key } }));
  return { name, help, type, samples };
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\"')}"`;

function numberOf(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return `${value}`;
}

/** Omits families without a sample. */
export function exposition(families: readonly Family[]): string {
  let text = '';
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
    for (const { value, labels = {}, suffix = '' } of samples) {
      const pairs = Object.entries(labels).map(([label, each]) => `${label}=${quoted(each)}`);
      text += `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${numberOf(value)}\n`;
    }
  }
  return text;
}
