import { ownSite, PASSWORD, type RunningSite, removeSite } from '../e2e/site.ts';
import { type Attack, processorSeconds } from './attack.ts';
import { call, pause, type Reply, readUntil } from './clients.ts';

const CONNECTIONS = 140;
/** Milliseconds. */
const FLOOD = 12_000;
const ROUNDS = 5;
const HOME = '127.1.0.1';

const people = (site: RunningSite) => {
  const post = (path: string, from: string, body: object) =>
    call({ url: `${site.url}/v1${path}`, method: 'POST', from, body });
  return {
    signUp: (email: string, from: string) => post('/account', from, { userId: 'unique()', email, password: PASSWORD }),
    signIn: (email: string, from: string, password = PASSWORD) =>
      post('/account/sessions/email', from, { email, password }),
  };
};

/** Guesses from the addresses that `sourceOf` gives, until `signal`; how many were heard, and how many turned away. */
async function flood(site: RunningSite, group: number, sourceOf: (connection: number) => string, signal: AbortSignal) {
  const { signIn } = people(site);
  const statuses = new Map<number, number>();
  const guess = async (connection: number) => {
    for (let round = 0; !signal.aborted; round++) {
      const email = `guess-${group}-${connection}-${round}@example.com`;
      const { status } = await signIn(email, sourceOf(connection), 'a wrong guess');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // This is about password computations: how many answers a second there are is another question.
      if (status === 429) await pause(100);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => guess(connection)));
  return statuses;
}

const told = (replies: readonly Reply[]) => {
  const inside = replies.filter(({ status }) => status === 201).map(({ milliseconds }) => Math.round(milliseconds));
  const longest = inside.length > 0 ? `, longest ${Math.max(...inside)} ms` : '';
  const others = replies.filter(({ status }) => status !== 201).map(({ status }) => status);
  return `${inside.length} of ${replies.length} got in${longest}${others.length > 0 ? `, others ${others.join(' ')}` : ''}`;
};

async function during(site: RunningSite, name: string, group: number, sourceOf: (connection: number) => string) {
  const { signIn, signUp } = people(site);
  const end = AbortSignal.timeout(FLOOD);
  const processor = processorSeconds(site.pid ?? 0);
  const reading = readUntil(`${site.url}/`, end);
  const flooding = flood(site, group, sourceOf, end);
  const replies: Record<'signIn' | 'signUp' | 'known', Reply[]> = { signIn: [], signUp: [], known: [] };
  await pause(500);
  for (let round = 0; round < ROUNDS && !end.aborted; round++) {
    const from = `127.2.${group}.${round + 1}`;
    const [one, two, three] = await Promise.all([
      signIn(`honest-${group}-${round}@example.com`, from),
      signUp(`new-${group}-${round}@example.com`, `127.3.${group}.${round + 1}`),
      signIn(`known-${group}@example.com`, HOME),
    ]);
    replies.signIn.push(one);
    replies.signUp.push(two);
    replies.known.push(three);
    await pause(1000);
  }
  const [statuses, waits] = await Promise.all([flooding, reading]);
  const guesses = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  return {
    [`${name}: right password from a new address`]: told(replies.signIn),
    [`${name}: sign-up from a new address`]: told(replies.signUp),
    [`${name}: right password from the address of the last sign-in`]: told(replies.known),
    [`${name}: guesses by status`]: [...statuses].map(([status, count]) => `${status}: ${count}`).join(', '),
    [`${name}: processor, ms a guess`]: ((processorSeconds(site.pid ?? 0) - processor) * 1000) / guesses,
    [`${name}: longest wait of a reader, ms`]: Math.max(...waits),
  };
}

export const attack: Attack = {
  title: `${CONNECTIONS} connections guess passwords of unknown addresses while people sign in and up.`,
  async run({ build }) {
    const site = await ownSite({ build, environment: { EMBEDDED_RATE_LIMITS: 'on' } });
    try {
      const { signIn, signUp } = people(site);
      for (let group = 0; group < 3; group++) {
        for (let round = 0; round < ROUNDS; round++) {
          await signUp(`honest-${group}-${round}@example.com`, `127.2.${group}.${round + 1}`);
        }
        await signUp(`known-${group}@example.com`, HOME);
        await signIn(`known-${group}@example.com`, HOME);
      }
      return {
        ...(await during(site, 'an address each', 0, (connection) => `127.0.0.${connection + 2}`)),
        ...(await during(site, 'one address', 1, () => '127.0.1.1')),
        ...(await during(site, 'the address of the honest', 2, () => HOME)),
      };
    } finally {
      await removeSite(site);
    }
  },
};
