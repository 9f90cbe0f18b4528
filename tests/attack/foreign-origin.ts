/** Pages that are not the site's own, and requests that name two sites, against a site on https behind a proxy. */
import { ownSite, PASSWORD, type RunningSite, removeSite, type Writer } from '../e2e/site.ts';
import { type RawRequest, rawHead } from '../support/raw-head.ts';
import type { Attack, Figures } from './attack.ts';

const HOST = 'blog.example.com';
const PROJECT = 'common-ink';
const BY_PROXY = [
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-For', '203.0.113.7'],
] as const;
const ORIGINS = [
  `https://${HOST}`,
  `http://${HOST}`,
  `https://${HOST}:8443`,
  `http://${HOST}:4321`,
  'https://evil.example',
];
const WANTED = ['x-content-type-options', 'referrer-policy', 'strict-transport-security'];
const PATHS = ['/', '/favicon.svg', '/feed.xml', '/search?q=a', '/nowhere', '/PAGE/1', '/v1/health/version', '/api/x'];
const WRITERS_PATHS = ['/login', '/signup', '/add-post', '/edit-post/x', '/all-posts'];

const portOf = (site: RunningSite): number => Number(new URL(site.url).port);
const ask = (site: RunningSite, request: RawRequest) =>
  rawHead(portOf(site), { ...request, headers: [['Host', HOST], ...BY_PROXY, ...(request.headers ?? [])] });

/** What a page of each origin gets with the session's cookie: whether it may read, and what it may write. */
async function asEachOrigin(site: RunningSite, { session }: Writer): Promise<Figures> {
  const figures: Record<string, string> = {};
  for (const origin of ORIGINS) {
    const mine = [
      ['Origin', origin],
      ['Cookie', `a_session_${PROJECT}=${session}`],
      ['X-Appwrite-Project', PROJECT],
    ] as const;
    const read = await ask(site, { target: '/v1/account', headers: mine });
    const written = await ask(site, {
      method: 'POST',
      target: '/api/revalidate',
      headers: [...mine, ['Content-Type', 'application/json']],
      body: '{"slug":"x"}',
    });
    const credentials = read.headers.has('access-control-allow-credentials') ? 'with' : 'without';
    figures[`a page of ${origin}`] = `account ${read.status} ${credentials} credentials, revalidate ${written.status}`;
  }
  return figures;
}

async function cookiesOf(site: RunningSite, { email }: Writer): Promise<string> {
  const { headers } = await ask(site, {
    method: 'POST',
    target: '/v1/account/sessions/email',
    headers: [
      ['Origin', `https://${HOST}`],
      ['X-Appwrite-Project', PROJECT],
      ['Content-Type', 'application/json'],
    ],
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const lines = (headers.get('set-cookie') ?? []).filter((line) => !line.includes('Max-Age=0'));
  return lines
    .map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      return `${pair.split('=', 1)}: ${attributes.filter((each) => !/^(?:Expires|Max-Age|Path)=/.test(each)).join(' ')}`;
    })
    .join(' | ');
}

/** Paths whose answers lack a header, and which. */
async function without(site: RunningSite, paths: readonly string[], names: readonly string[]): Promise<string> {
  const lacks: string[] = [];
  for (const target of paths) {
    const { headers } = await ask(site, { target });
    const missing = names.filter((name) => !headers.has(name));
    if (missing.length > 0) lacks.push(`${target} (${missing.length})`);
  }
  return lacks.length === 0 ? 'none' : lacks.join(', ');
}

/** Statuses of requests that name two hosts; the page is asked for until every thread has it. */
async function ofTwoHosts(site: RunningSite): Promise<Figures> {
  const port = portOf(site);
  for (let i = 0; i < 40; i++) await rawHead(port, { target: '/', headers: [['Host', HOST]] });
  const two = [HOST, 'evil.example'].map((host) => ['Host', host] as const);
  const socket = [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ] as const;
  const statuses = async (target: string, headers: RawRequest['headers']) =>
    (await rawHead(port, { target, headers })).status;
  const other = [['Host', 'evil.example']] as const;
  return {
    'two hosts: page': await statuses('/', two),
    'two hosts: /v1': await statuses('/v1/health/version', two),
    'two hosts: writers’ page': await statuses('/login', two),
    'two hosts: WebSocket': await statuses(`/v1/realtime?project=${PROJECT}`, [...two, ...socket]),
    'another host in the target: page': await statuses(`http://${HOST}/`, other),
    'another host in the target: /v1': await statuses(`http://${HOST}/v1/health/version`, other),
    'another host in the target: WebSocket': await statuses(`http://${HOST}/v1/realtime?project=${PROJECT}`, [
      ...other,
      ...socket,
    ]),
  };
}

export const attack: Attack = {
  title: 'pages of other schemes, ports and sites ask with a writer’s session; requests name two hosts',
  async run({ build }) {
    const figures: Record<string, number | string> = {};
    for (const workers of ['1', '2']) {
      const site = await ownSite({
        build,
        environment: {
          SITE_URL: `https://${HOST}`,
          TRUSTED_PROXIES: 'loopback',
          EMBEDDED_RATE_LIMITS: 'on',
          WORKERS: workers,
        },
      });
      try {
        if (workers === '1') {
          const writer = await site.writer();
          Object.assign(figures, await asEachOrigin(site, writer));
          figures['cookies of a sign-in'] = await cookiesOf(site, writer);
          figures['without a header that all have'] = await without(site, [...PATHS, ...WRITERS_PATHS], WANTED);
          figures['writers’ pages without Cache-Control'] = await without(site, WRITERS_PATHS, ['cache-control']);
        }
        for (const [name, value] of Object.entries(await ofTwoHosts(site))) {
          figures[`${name}, ${workers === '1' ? 'one thread' : 'reader threads'}`] = value;
        }
      } finally {
        await removeSite(site);
      }
    }
    return figures;
  },
};
