/** Where a part of the server says what an operator should know. */
export type Log = (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;
