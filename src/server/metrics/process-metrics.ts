/** Measures the Node.js process. Its metrics have the names that Node.js dashboards expect. */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Family } from './exposition.ts';

/** At 20 samples a second, measuring the event loop has no noticeable cost. */
const RESOLUTION_MS = 50;
const NANOSECONDS = 1e9;

/** Returns a function that takes the measurements. Lag and utilisation cover the time since its last call. */
export function watchProcess(): () => Family[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let last = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const lag = lagOf(delay);
    delay.reset();
    const { user, system } = process.cpuUsage();
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    const start = Math.round(performance.timeOrigin) / 1000;
    return [
      ['gauge', 'nodejs_eventloop_lag_mean_seconds', 'Mean lag of the event loop since the last scrape.', lag.mean],
      [
        'gauge',
        'nodejs_eventloop_lag_p99_seconds',
        '99th percentile of the lag of the event loop since the last scrape.',
        lag.p99,
      ],
      ['gauge', 'nodejs_eventloop_lag_max_seconds', 'Maximum lag of the event loop since the last scrape.', lag.max],
      ['gauge', 'nodejs_eventloop_utilization_ratio', 'Share of time that the event loop was busy.', utilization],
      ['gauge', 'process_resident_memory_bytes', 'Resident memory.', rss],
      ['gauge', 'nodejs_heap_size_total_bytes', 'Size of the heap.', heapTotal],
      ['gauge', 'nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed],
      ['gauge', 'nodejs_external_memory_bytes', 'Memory outside the heap, such as buffers.', external],
      ['gauge', 'process_start_time_seconds', 'Start of the process, in Unix time.', start],
      ['counter', 'process_cpu_seconds_total', 'Processor time used.', (user + system) / 1e6],
    ];
  };
}

/** Returns the lag in seconds. Subtracts the sampling interval, because the histogram's values include it. */
function lagOf(delay: ReturnType<typeof monitorEventLoopDelay>): { mean: number; p99: number; max: number } {
  const lag = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) && delay.count > 0 ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000) : 0;
  return { mean: lag(delay.mean), p99: lag(delay.percentile(99)), max: lag(delay.max) };
}
