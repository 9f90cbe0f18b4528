/** Child process: runs one kind of attacker until it is stopped, then reports a tally of the answers it got. */
import type { Tally } from '../attack.ts';
import { ATTACKERS } from './attackers.ts';
import type { AttackOrder } from './order.ts';

const end = new AbortController();
const tally: Tally = {};

process.on('message', (message: AttackOrder | 'stop') => {
  if (message === 'stop') {
    process.send?.({ ...tally });
    end.abort();
    return;
  }
  void ATTACKERS[message.kind]?.({ order: message, tally, signal: end.signal });
});
process.on('disconnect', () => process.exit(0));
