/** How much is done: little within `npm test`, as much as `npm run faults` is told by hand. */

export interface Settings {
  /** Rounds of kill -9. */
  readonly rounds: number;
  /** Malformed requests. */
  readonly requests: number;
  /** Uploads at the same time. */
  readonly uploads: number;
  readonly seed: number;
  /** Tell progress and figures. */
  readonly verbose: boolean;
}

const number = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);

export const settings: Settings = {
  rounds: number(process.env.FAULTS_ROUNDS, 8),
  requests: number(process.env.FAULTS_REQUESTS, 2000),
  uploads: number(process.env.FAULTS_UPLOADS, 60),
  seed: number(process.env.FAULTS_SEED, Date.now() % 2 ** 31),
  verbose: process.env.FAULTS_VERBOSE === '1',
};
