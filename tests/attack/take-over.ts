/**
 * A stranger guesses the six digits of a mailed code to sign in as a writer, with rate limits and mail on. Each round
 * first invents ids to make the limits forget, then requests and guesses ten codes, each from its own address.
 */
import { Agent, request as httpRequest } from 'node:http';
import { startMailServer } from 'embedded-appwrite/testing';
import { ownSite, type RunningSite, removeSite } from '../e2e/site.ts';
import type { Attack } from './attack.ts';

const ROUNDS = 10;
const INVENTED_IDS = 105_000;
/** Ids invented in each later round. */
const INVENTED_AGAIN = 10_500;
const CODES = 10;
const GUESSES = 60_000;
const AT_ONCE = 50;

type Tally = Map<number, number>;

const count = (tally: Tally, status: number) => void tally.set(status, (tally.get(status) ?? 0) + 1);
const told = (tally: Tally) => [...tally].map(([status, times]) => `${times} × ${status}`).join(', ') || 'nothing';

/** Runs `work` for each number below `total`, at most `AT_ONCE` at a time. */
async function each(total: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Sends JSON from an address of this machine (127.0.0.0/8); returns the status. */
function send(agent: Agent, method: string, url: string, from: string, json: object): Promise<number> {
  const body = JSON.stringify(json);
  const headers = {
    'x-appwrite-project': 'common-ink',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent, localAddress: from });
    request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
    request.on('error', reject).end(body);
  });
}

/** Sends secrets of users who don't exist, from one address over keep-alive connections. */
async function invent(site: RunningSite, total: number, round: number, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const kinds = [
    ['PUT', '/account/verifications/email'],
    ['PUT', '/account/recovery'],
    ['POST', '/account/sessions/token'],
  ] as const;
  await each(total, async (index) => {
    const [method, path] = kinds[index % kinds.length] ?? kinds[0];
    const body = { userId: `invented-${round}-${index}`, secret: '123456', password: 'correct horse' };
    count(tally, await send(agent, method, `${site.url}/v1${path}`, '127.9.9.9', body));
  });
  agent.destroy();
}

/** Returns an address in 127.0.0.0/8, different for each number. */
const addressOf = (number: number) => `127.${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

export const attack: Attack = {
  title: `a stranger invents ids until limits forget, and guesses mailed codes of a writer ${GUESSES} times`,
  limits: { 'signed in as the writer': 0 },
  async run({ build }) {
    const mail = await startMailServer();
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' }, smtpPort: mail.port });
    try {
      const { id, email } = await site.writer('Ann Owner');
      const agent = new Agent();
      const post = (from: string, path: string, body: object) =>
        send(agent, 'POST', `${site.url}/v1${path}`, from, body);
      const [invented, asked, guessed]: [Tally, Tally, Tally] = [new Map(), new Map(), new Map()];
      for (let round = 0; round < ROUNDS; round++) {
        await invent(site, round === 0 ? INVENTED_IDS : INVENTED_AGAIN, round, invented);
        for (let i = 0; i < CODES; i++) {
          const from = addressOf(200_000 + round * CODES + i);
          count(asked, await post(from, '/account/tokens/email', { userId: 'unique()', email }));
        }
        await each(GUESSES / ROUNDS, async (index) => {
          const guess = (round * GUESSES) / ROUNDS + index;
          const secret = String(guess * 16).padStart(6, '0');
          count(guessed, await post(addressOf(guess), '/account/sessions/token', { userId: id, secret }));
        });
      }
      return {
        'answers to invented ids': told(invented),
        'answers to questions for a code': told(asked),
        'codes mailed': mail.offered.length,
        'answers to guesses': told(guessed),
        'guesses that were looked at': (guessed.get(401) ?? 0) + (guessed.get(201) ?? 0),
        'signed in as the writer': guessed.get(201) ?? 0,
      };
    } finally {
      await removeSite(site);
      await mail.stop();
    }
  },
};
