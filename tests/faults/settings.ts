/** Amount of work for the fault tests: little in `npm test`, set by options in `npm run faults`. */

const number = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);

export const settings = {
  rounds: number(process.env.FAULTS_ROUNDS, 5),
  requests: number(process.env.FAULTS_REQUESTS, 1000),
  seed: number(process.env.FAULTS_SEED, Date.now() % 2 ** 31),
  /** True when run by hand; the tests then print progress and figures. */
  verbose: process.env.FAULTS_VERBOSE === '1',
};
