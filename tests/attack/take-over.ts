/**
 * A guest guesses emailed six-digit codes to sign in as a writer, with rate limits and email on. Each round first
 * sends invented user ids until the limits forget older ones, then requests and guesses codes, each from a new address.
 */
import { Agent } from 'node:http';
import { ownMailSite } from '../e2e/members.ts';
import type { RunningSite } from '../e2e/site.ts';
import { type Attack, count, type Tally, told } from './attack.ts';
import { send } from './cost/measure.ts';
import { PROJECT } from './siege/order.ts';

const ROUNDS = 10;
const INVENTED_IDS = 105_000;
/** Number of ids invented in each round after the first. */
const INVENTED_AGAIN = 10_500;
const CODES = 10;
const GUESSES = 60_000;
const AT_ONCE = 50;

/** Runs `work` for each number below `total`, at most `AT_ONCE` at a time. */
async function each(total: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < total) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Sends JSON from an address of this machine (127.0.0.0/8); returns the status. */
async function ask(agent: Agent, method: string, site: RunningSite, path: string, from: string, json: object) {
  const headers = { 'x-appwrite-project': PROJECT, 'content-type': 'application/json' };
  const sent = { method, path: `/v1${path}`, headers, body: Buffer.from(JSON.stringify(json)), from };
  return (await send(site.url, agent, sent)).status;
}

/** Sends secrets for users who do not exist, from one address over keep-alive connections. */
async function invent(site: RunningSite, total: number, round: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const kinds = [
    ['PUT', '/account/verifications/email'],
    ['PUT', '/account/recovery'],
    ['POST', '/account/sessions/token'],
  ] as const;
  await each(total, async (index) => {
    const [method, path] = kinds[index % kinds.length] ?? kinds[0];
    const body = { userId: `invented-${round}-${index}`, secret: '123456', password: 'correct horse' };
    await ask(agent, method, site, path, '127.9.9.9', body);
  });
  agent.destroy();
}

/** Returns an address in 127.0.0.0/8, different for each number. */
const addressOf = (number: number) => `127.${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

export const attack: Attack = {
  title: `a stranger invents ids until limits forget, and guesses mailed codes of a writer ${GUESSES} times`,
  limits: { 'signed in as the writer': 0 },
  async run({ build }) {
    await using opened = await ownMailSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    const { site } = opened;
    const { id, email } = await site.writer('Ann Owner');
    const agent = new Agent();
    const post = (from: string, path: string, body: object) => ask(agent, 'POST', site, path, from, body);
    const guessed: Tally = {};
    for (let round = 0; round < ROUNDS; round++) {
      await invent(site, round === 0 ? INVENTED_IDS : INVENTED_AGAIN, round);
      for (let i = 0; i < CODES; i++) {
        const from = addressOf(200_000 + round * CODES + i);
        await post(from, '/account/tokens/email', { userId: 'unique()', email });
      }
      await each(GUESSES / ROUNDS, async (index) => {
        const guess = (round * GUESSES) / ROUNDS + index;
        const secret = String(guess * 16).padStart(6, '0');
        count(guessed, await post(addressOf(guess), '/account/sessions/token', { userId: id, secret }));
      });
    }
    return { 'answers to guesses': told(guessed), 'signed in as the writer': guessed[201] ?? 0 };
  },
};
