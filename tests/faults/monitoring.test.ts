import { spawnSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { globalAgent } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Account, Client } from 'node-appwrite';
import parseText from 'parse-prometheus-text-format';
import { beforeAll, expect, test } from 'vitest';
import { ownSite, PASSWORD, type RunningSite, removeSite } from '../e2e/site.ts';
import { send } from '../support/gateway.ts';
import { started, textAt } from './tools.ts';

const TOKEN = 'a-token-for-the-metrics';
/** Shared by the tests that do not depend on exact counts. */
let shared: RunningSite;

beforeAll(async () => {
  shared = await ownSite({ environment: { SMTP_HOST: '127.0.0.1', MAIL_FROM: 'blog@example.com' } });
  return () => removeSite(shared);
});

interface Found {
  readonly type: string;
  readonly metrics: readonly (Partial<Record<'value' | 'count', string>> & {
    readonly [key in 'labels' | 'buckets']?: Readonly<Record<string, string>>;
  })[];
}

async function metricsOf(site: RunningSite): Promise<Map<string, Found>> {
  const response = await fetch(`${site.url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = parseText(await response.text()) as readonly (Found & Record<'name' | 'help', string>)[];
  for (const { name, help } of families) {
    expect(help, name).not.toBe('');
    expect(name).toMatch(/^(?:common_ink|process|nodejs)_[a-z0-9_]+$/);
  }
  return new Map(families.map((family) => [family.name, family]));
}

function metric(found: Map<string, Found>, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const sample = found
    .get(name)
    ?.metrics.find((each) => Object.entries(labels).every(([key, value]) => each.labels?.[key] === value));
  return Number(sample?.value ?? sample?.count ?? Number.NaN);
}

/** Sends a request with exactly these headers, `Host` included. */
const asked = (site: RunningSite, path: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  send(site.url + path, { headers, method, agent: globalAgent });
const statusOf = async (...parameters: Parameters<typeof asked>) => (await asked(...parameters)).status;

test('the metrics tell what readers, writers and the backend did, in the text that Prometheus reads', async () => {
  const site = await started();
  const writer = await site.writer();
  const { id } = await site.post(writer);
  for (let n = 0; n < 3; n++) expect((await fetch(`${site.url}/post/${id}`)).status).toBe(200);
  expect((await fetch(`${site.url}/post/nowhere`)).status).toBe(404);
  const account = new Account(new Client().setEndpoint(site.backend).setProject('common-ink'));
  await account.createEmailPasswordSession({ email: writer.email, password: PASSWORD });

  let found = new Map<string, Found>();
  const isUp = async () => {
    found = await metricsOf(site);
    return metric(found, 'common_ink_backend_up');
  };
  // Polls, because the backend probe may time out on a busy machine, and its result is cached for two seconds.
  await expect.poll(isUp).toBe(1);
  const requests = 'common_ink_http_requests_total';
  for (const [name, value, labels] of [
    [requests, 3, { kind: 'page', code: '200' }],
    [requests, 1, { kind: 'page', code: '404' }],
    [requests, 1, { kind: 'api', code: '200' }],
    ['common_ink_page_hits_total', 3],
    ['common_ink_page_renders_failed_total', 0],
    ['common_ink_publish_visible_seconds', 1],
    ['common_ink_backend_up', 1],
    ['common_ink_posts', 1],
    ['common_ink_files', 1],
    ['common_ink_accounts', 1],
    // One session was created for the writer with the server key, the other by the sign-in above.
    ['common_ink_sign_ins_total', 2],
  ] as const) {
    expect(metric(found, name, labels), name).toBe(value);
  }
  const renders = (reason: string) => metric(found, 'common_ink_page_renders_total', { reason });
  expect(renders('writer') + renders('publish')).toBeGreaterThan(0);
  expect(metric(found, 'common_ink_pages_stored')).toBeGreaterThan(0);
  expect(metric(found, 'common_ink_sqlite_bytes', { database: 'backend', file: 'wal' })).toBeGreaterThan(0);
  expect(metric(found, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  expect(metric(found, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  const [durations] = found.get('common_ink_publish_visible_seconds')?.metrics ?? [];
  const bound = ([name]: [string, string]) => Number(name.replace('+Inf', 'Infinity'));
  const buckets = Object.entries(durations?.buckets ?? {}).toSorted((a, b) => bound(a) - bound(b));
  const counts = buckets.map(([, count]) => Number(count));
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(Number(durations?.count));
  for (const [name, { type }] of found) if (name.endsWith('_total')) expect(type, name).toBe('COUNTER');
});

test('no label grows with what strangers send', async () => {
  const samples = async () => (await textAt(`${shared.url}/metrics`)).split('\n').length;
  const ask = async (n: number) => {
    for (const path of [`/nowhere-${n}`, `/post/none-${n}`, `/v1/nothing-${n}`, `/api/none-${n}`, `/a.css?${n}`])
      await (await fetch(shared.url + path, { headers: { 'user-agent': `agent ${n}` } })).arrayBuffer();
  };
  await ask(0);
  await samples();
  const before = await samples();
  for (let n = 1; n < 20; n++) await ask(n);
  expect(await samples()).toBe(before);
});

test('a limit that somebody hits is counted', async () => {
  const site = await started();
  const search = async () => {
    const response = await fetch(`${site.url}/search?q=ink`);
    await response.arrayBuffer();
    return response.status;
  };
  let [sent, refused] = [0, 0];
  // More than 32 requests are needed if the rate limit's next minute begins during the loop.
  for (; refused < 2 && sent < 320; sent++) if ((await search()) === 429) refused++;
  expect(refused).toBe(2);
  expect(sent).toBeGreaterThanOrEqual(32);
  expect(metric(await metricsOf(site), 'common_ink_limits_hit_total', { kind: 'page' })).toBe(2);
});

test('metrics are for programs on this machine, and with a token for others; nobody else learns of them', async () => {
  const { host } = new URL(shared.url);
  expect(await statusOf(shared, '/metrics', {})).toBe(200);
  for (const [name, value] of [
    ['X-Forwarded-For', '203.0.113.9'],
    ['Host', 'blog.example.com'],
  ] as const) {
    const { status, text } = await asked(shared, '/metrics', { [name]: value });
    expect(status).toBe(404);
    expect(text).not.toContain('common_ink_');
  }
  const open = await started({ environment: { METRICS_TOKEN: TOKEN } });
  const remote = { 'X-Forwarded-For': '203.0.113.9', Host: host };
  expect(await statusOf(open, '/metrics', remote)).toBe(401);
  expect(await statusOf(open, '/metrics', { ...remote, Authorization: `Bearer ${TOKEN}x` })).toBe(401);
  expect(await statusOf(open, '/metrics', { ...remote, Authorization: `Bearer ${TOKEN}` })).toBe(200);
});

/** Stops a server during a request. Returns the probes' statuses meanwhile, or `[]` if the probes come too late. */
async function statusesAtEnd(): Promise<number[]> {
  const site = await started();
  await expect.poll(() => statusOf(site, '/readyz', {})).toBe(200);
  // A request whose body never arrives in full keeps the server from exiting.
  const slow = connect(Number(new URL(site.url).port), '127.0.0.1').on('error', () => {});
  const cookie = `a_session_common-ink=${(await site.writer()).session}`;
  const head = ['POST /api/revalidate HTTP/1.1', 'Host: a', `Cookie: ${cookie}`, 'Content-Length: 9'];
  slow.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n{`);
  await expect.poll(() => textAt(`${site.url}/metrics`)).toContain('requests_in_flight 2');
  const stopped = site.stop('SIGTERM');
  try {
    while (!(await asked(site, '/readyz', {})).text.includes('"status":"draining"'));
    return await Promise.all(['/readyz', '/healthz'].map((path) => statusOf(site, path, {})));
  } catch (error) {
    if (!['ECONNREFUSED', 'ECONNRESET'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return [];
  } finally {
    slow.destroy();
    await stopped;
  }
}

test('a server that is about to end says so as long as it answers', async () => {
  // The server accepts connections for at most two more seconds, and on a busy machine the probes may come later.
  let statuses: number[] = [];
  for (let attempt = 0; attempt < 10 && statuses.length === 0; attempt++) statuses = await statusesAtEnd();
  expect(statuses).toEqual([503, 200]);
});

test('a data folder that is gone makes a server not ready; it is alive all the same', async () => {
  const aside = `${shared.dataDirectory}-aside`;
  renameSync(shared.dataDirectory, aside);
  writeFileSync(shared.dataDirectory, '');
  // Polls, because the server caches its checks for two seconds.
  await expect.poll(() => statusOf(shared, '/readyz', {})).toBe(503);
  const answer = await asked(shared, '/readyz', {});
  expect(JSON.parse(answer.text)).toMatchObject({ status: 'not ready', checks: { folder: 'not writable' } });
  expect(await statusOf(shared, '/healthz', {})).toBe(200);
  expect(await statusOf(shared, '/up', {}, 'HEAD')).toBe(200);
  rmSync(shared.dataDirectory);
  renameSync(aside, shared.dataDirectory);
  await expect.poll(() => statusOf(shared, '/readyz', {})).toBe(200);
});

test('a remote backend that is away makes a server not ready until it is back', async () => {
  const site = await started({ access: 'gateway' });
  await expect.poll(() => statusOf(site, '/readyz', {})).toBe(200);
  await site.remote?.stop();
  await expect.poll(() => statusOf(site, '/readyz', {})).toBe(503);
  expect(JSON.parse((await asked(site, '/readyz', {})).text)).toMatchObject({ checks: { backend: 'unreachable' } });
  expect(metric(await metricsOf(site), 'common_ink_backend_up')).toBe(0);
  expect(await statusOf(site, '/up', {})).toBe(200);
  await site.remote?.start();
  await expect.poll(() => statusOf(site, '/readyz', {})).toBe(200);
});

test('probes can only be read', async () => {
  for (const path of ['/healthz', '/up', '/readyz', '/metrics']) {
    expect(await statusOf(shared, path, {}, 'POST')).toBe(405);
    await expect.poll(() => statusOf(shared, `${path}?a=b`, {}, 'HEAD')).toBe(200);
  }
});

const MONITORING = join(import.meta.dirname, '../../docs/monitoring');

test('the board and the alert rules ask for metrics that there are', async () => {
  expect((await fetch(`${shared.url}/search?q=ink`)).status).toBe(200);
  const found = await metricsOf(shared);
  // These metrics appear only after the first backup, failed call or exceeded limit.
  const later = ['common_ink_backup', 'common_ink_backend_calls_failed_total', 'common_ink_limits_hit_total'];
  for (const file of ['grafana.json', 'alerts.yaml']) {
    const names =
      readFileSync(join(MONITORING, file), 'utf8').match(/\b(?:common_ink|process|nodejs)_[a-z0-9_]+/g) ?? [];
    expect(names.length).toBeGreaterThan(3);
    for (const name of new Set(names)) {
      if (later.some((each) => name.startsWith(each))) continue;
      expect([...found.keys()], `${file}: ${name}`).toContain(name.replace(/_(?:bucket|sum|count)$/, ''));
    }
  }
});

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' });

test.runIf(promtool('--version').status === 0)(
  'promtool takes the metrics and the rules, and each alert is raised when it should be',
  async () => {
    const input = await textAt(`${shared.url}/metrics`);
    const checked = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input });
    expect(checked.stderr + checked.stdout).toBe('');
    const rules = promtool('check', 'rules', join(MONITORING, 'alerts.yaml'));
    expect(rules.status, rules.stderr).toBe(0);
    const tested = promtool('test', 'rules', join(import.meta.dirname, 'alerts.promtool.yaml'));
    expect(tested.status, tested.stdout + tested.stderr).toBe(0);
  },
);
