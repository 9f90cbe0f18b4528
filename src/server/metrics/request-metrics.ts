/** Counts requests by kind and status. Adds the responses that the fast path has counted itself. */
import type { ServerResponse } from 'node:http';
import type { Family } from './exposition.ts';
import { Histograms } from './histogram.ts';

export type RequestKind = 'page' | 'backend' | 'api' | 'file' | 'probe';

export interface FastPathCounts {
  readonly ok: number;
  readonly notModified: number;
}

const TOO_MANY = 429;

export class RequestMetrics {
  readonly #counts = new Map<string, number>();
  readonly #durations = new Histograms('kind');
  #inFlight = 0;

  begin(kind: RequestKind, response: ServerResponse): void {
    const begun = performance.now();
    this.#inFlight++;
    response.once('close', () => {
      this.#inFlight--;
      const key = `${kind} ${response.statusCode}`;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      this.#durations.observe(kind, (performance.now() - begun) / 1000);
    });
  }

  families(fastPath: FastPathCounts | undefined): Family[] {
    const counts = new Map(this.#counts);
    const add = (key: string, more: number) => {
      if (more > 0) counts.set(key, (counts.get(key) ?? 0) + more);
    };
    add('page 200', fastPath?.ok ?? 0);
    add('page 304', fastPath?.notModified ?? 0);
    const samples = [...counts].map(([key, value]) => {
      const [kind = '', code = ''] = key.split(' ');
      return { value, labels: { kind, code } };
    });
    const limited = samples.filter(({ labels }) => labels.code === `${TOO_MANY}`);
    return [
      ['counter', 'common_ink_http_requests_total', 'Requests answered, by kind of address and status.', samples],
      [
        'histogram',
        'common_ink_http_request_duration_seconds',
        'Time from a request’s headers to the end of its response. Fast-path hits are not timed.',
        this.#durations.samples(),
      ],
      ['gauge', 'common_ink_http_requests_in_flight', 'Requests being answered now.', this.#inFlight],
      [
        'counter',
        'common_ink_limits_hit_total',
        'Requests refused because the client sent too many.',
        limited.map(({ value, labels: { kind } }) => ({ value, labels: { kind } })),
      ],
    ];
  }
}

export function kindOf(url: string): RequestKind {
  if (url.startsWith('/v1/')) return 'backend';
  if (url.startsWith('/api/')) return 'api';
  const [path = ''] = url.split('?', 1);
  if (path.startsWith('/_astro/') || /\.(?:svg|png|ico|woff2|js|css|webmanifest)$/.test(path)) return 'file';
  return PROBES.has(path) ? 'probe' : 'page';
}

const PROBES = new Set(['/healthz', '/up', '/readyz', '/metrics']);
