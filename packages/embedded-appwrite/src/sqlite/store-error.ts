/** The data cannot be used; the message is one sentence or two that say what to do. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
