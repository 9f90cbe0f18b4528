/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const UNIQUENESS = new Set([2067, 1555]);

/** Runs a write. Throws `refusal()` if a value that must be unique is already taken. */
export function refuseTaken<T>(work: () => T, refusal: () => Error): T {
  try {
    return work();
  } catch (error) {
    throw UNIQUENESS.has((error as { errcode?: number }).errcode ?? 0) ? refusal() : error;
  }
}
