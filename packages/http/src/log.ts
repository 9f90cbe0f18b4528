export type Log = (level: 'info' | 'warn' | 'error', message: string, error?: unknown) => void;
