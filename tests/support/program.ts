import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts a program and collects its output. */
export function startProgram(program: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  return {
    child,
    /** Resolves with the exit code, null after a signal, once the output is complete. */
    ended: once(child, 'close').then(([code]) => code as number | null),
    said: () => output,
    /** Resolves when the output after its first `from` characters matches. */
    until: (pattern: RegExp, from = 0) =>
      new Promise<void>((resolve) => {
        const look = () => pattern.test(output.slice(from)) && resolve();
        listeners.add(look);
        look();
      }),
  };
}
