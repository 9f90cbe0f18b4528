/** Writes Prometheus' text format 0.0.4. */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
  /** Suffix of a histogram's samples: `_bucket`, `_sum` or `_count`. */
  readonly suffix?: string;
}

/**
 * A metric with a value or several samples. Its name ends in its base unit, if any, such as `_seconds` or `_bytes`.
 * Counters add `_total`.
 */
export type Family = readonly [
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  value: number | undefined | readonly Sample[],
];

export const byLabel = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
  Object.entries(values).map(([key, value]) => ({ value, labels: { [label]: key } }));

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\"')}"`;

export function exposition(families: readonly Family[]): string {
  let text = '';
  for (const [type, name, help, given = []] of families) {
    const samples: readonly Sample[] = typeof given === 'number' ? [{ value: given }] : given;
    if (samples.length === 0) continue;
    text += `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
    for (const { value, labels = {}, suffix = '' } of samples) {
      const pairs = Object.entries(labels).map(([label, each]) => `${label}=${quoted(each)}`);
      text += `${name}${suffix}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`;
    }
  }
  return text;
}
