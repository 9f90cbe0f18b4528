/** How much is done: little within `npm test`, as much as `npm run faults` is told by hand. */

export interface Settings {
  /** Rounds of kill -9. */
  readonly rounds: number;
  /** Malformed requests. */
  readonly requests: number;
  readonly seed: number;
  /** Run by hand: print progress and figures, check memory. */
  readonly verbose: boolean;
}

const number = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);

export const settings: Settings = {
  rounds: number(process.env.FAULTS_ROUNDS, 5),
  requests: number(process.env.FAULTS_REQUESTS, 1000),
  seed: number(process.env.FAULTS_SEED, Date.now() % 2 ** 31),
  verbose: process.env.FAULTS_VERBOSE === '1',
};
