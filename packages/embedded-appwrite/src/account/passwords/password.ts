/** Hashes passwords with argon2id in PHC form, the format Appwrite imports and exports (contract 3). */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Flow, PasswordQueue } from './password-queue.ts';

/** Parameters of argon2id; `memory` is in KiB. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const COST: PasswordCost = { memory: 65_536, passes: 4, parallelism: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC =
  /^\$argon2(id|i|d)\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,171})$/;
/** Maximum memory, in KiB, that verifying an imported hash may take. */
const MOST_MEMORY = 1_048_576;

interface Hash extends PasswordCost {
  readonly variant: 'argon2id' | 'argon2i' | 'argon2d';
  readonly nonce: Buffer;
  readonly digest: Buffer;
}

function parseHash(phc: string): Hash | undefined {
  const match = PHC.exec(phc);
  if (!match) return undefined;
  const [, variant, memory, passes, parallelism, salt = '', digest = ''] = match;
  const hash = {
    variant: `argon2${variant}` as Hash['variant'],
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    digest: Buffer.from(digest, 'base64'),
  };
  const fits = hash.passes > 0 && hash.parallelism > 0 && hash.memory >= 8 * hash.parallelism;
  return fits && hash.memory <= MOST_MEMORY ? hash : undefined;
}

export function isPasswordHash(text: string): boolean {
  return parseHash(text) !== undefined;
}

/** Returns a hash's parameters as the users service reports them. For an empty string, returns those of new hashes. */
export function describeHash(phc: string): Record<string, unknown> {
  const { memory, passes, parallelism } = parseHash(phc) ?? COST;
  return { type: 'argon2', memory_cost: memory, time_cost: passes, threads: parallelism };
}

const derive = promisify(argon2);

const compute = (message: string, { variant, ...cost }: Omit<Hash, 'digest'>, tagLength: number): Promise<Buffer> =>
  derive(variant, { message, ...cost, tagLength });

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

export function createPasswords(cost: PasswordCost = COST) {
  const { memory, passes, parallelism } = cost;
  const queue = new PasswordQueue();
  const own = () => ({ variant: 'argon2id', ...cost, nonce: randomBytes(SALT_BYTES) }) as const;
  const nobody: Hash = { ...own(), digest: randomBytes(HASH_BYTES) };
  return {
    /** Returns the PHC string of a password. Throws 429 when too many requests are waiting. */
    async hash(password: string, flow: Flow): Promise<string> {
      const hash = own();
      const digest = await queue.run(flow, () => compute(password, hash, HASH_BYTES));
      queue.succeeded(flow);
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(hash.nonce)}$${unpadded(digest)}`;
    },
    /**
     * Returns true if the password matches. An empty `phc` (unknown user or no password) never matches but takes just
     * as long, so that timing does not reveal accounts. Throws 429 when too many requests are waiting.
     */
    async verify(password: string, phc: string, flow: Flow): Promise<boolean> {
      const hash = parseHash(phc) ?? nobody;
      const digest = await queue.run(flow, () => compute(password, hash, hash.digest.length));
      const isRight = timingSafeEqual(digest, hash.digest) && hash !== nobody;
      if (isRight) queue.succeeded(flow);
      return isRight;
    },
  };
}
