import { useRef, useState } from 'react';
import { peopleMessage } from '#blog/messages/people.ts';

export interface Work {
  /** Key of the running action, or empty. */
  readonly busy: string;
  readonly failure: string;
  readonly said: string;
  /** Runs `work` unless another action is running, then sets `said` to `done`. Resolves to true on success. */
  readonly run: (key: string, work: () => Promise<unknown>, done?: string) => Promise<boolean>;
  readonly clear: () => void;
}

export function useWork(): Work {
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState('');
  const [said, setSaid] = useState('');
  const running = useRef(false);
  const clear = () => {
    setFailure('');
    setSaid('');
  };
  const run: Work['run'] = async (key, work, done = '') => {
    if (running.current) return false;
    running.current = true;
    setBusy(key);
    clear();
    try {
      await work();
      setSaid(done);
      return true;
    } catch (error) {
      setFailure(peopleMessage(error));
      return false;
    } finally {
      running.current = false;
      setBusy('');
    }
  };
  return { busy, failure, said, run, clear };
}
