/** A guest requests password-recovery emails and infers from response times which addresses have an account. */
import { median } from '../bench/figures.ts';
import { ownMailSite } from '../e2e/members.ts';
import type { Attack } from './attack.ts';

const TRIES = 400;
const DIFFERENCE = 'difference, share of the unknown';

export const attack: Attack = {
  title: 'a stranger measures how long an address with an account takes to be answered, and one without',
  limits: { [DIFFERENCE]: 1 / 3 },
  async run({ build }) {
    // Trusts X-Forwarded-For, so that every try can have a new client address and no rate limit applies.
    await using opened = await ownMailSite({ build, environment: { TRUSTED_PROXIES: 'loopback' } });
    const { site } = opened;
    const writers = await Promise.all(Array.from({ length: 20 }, () => site.writer()));
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let i = 0; i < TRIES; i++) {
      const emails = { known: writers[i % writers.length]?.email, unknown: `nobody-${i}@example.com` };
      for (const kind of i % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const begun = performance.now();
        const address = `10.${i >> 8}.${i & 255}.${kind.length}`;
        const response = await fetch(`${site.url}/api/recovery`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
          body: JSON.stringify({ email: emails[kind] }),
        });
        if ((await response.text()) !== '{"isMailed":true}') throw new Error(`${kind}: ${response.status}`);
        times[kind].push(performance.now() - begun);
      }
    }
    const [known, unknown] = [median(times.known), median(times.unknown)];
    return { [DIFFERENCE]: Math.abs(known - unknown) / unknown };
  },
};
