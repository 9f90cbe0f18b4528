/** One action at a time, and how it went: in words that are announced. */
import { useRef, useState } from 'react';
import { peopleMessage } from '#blog/messages/people.ts';

export interface Work {
  /** What is being done, by the key it was begun with; empty while nothing is. */
  readonly busy: string;
  readonly failure: string;
  readonly said: string;
  /** Does `work` unless something is being done; `done` is said when it is. True when it was. */
  readonly run: (key: string, work: () => Promise<unknown>, done?: string) => Promise<boolean>;
  /** How it went is old news once something else is looked at. */
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
