/** Volume of the tests: small within `npm test`, as large as the options of `npm run faults` say. */

const number = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);

export const settings = {
  rounds: number(process.env.FAULTS_ROUNDS, 5),
  requests: number(process.env.FAULTS_REQUESTS, 1000),
  seed: number(process.env.FAULTS_SEED, Date.now() % 2 ** 31),
  /** Set when run by hand: print progress and figures, check memory. */
  verbose: process.env.FAULTS_VERBOSE === '1',
};
