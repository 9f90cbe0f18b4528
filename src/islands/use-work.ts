import { useRef, useState } from 'react';

/** Runs a screen's actions one at a time and returns their outcome. `message` returns the text for an error. */
export function useWork(message: (error: unknown) => string) {
  /** Key of the running action, or empty. */
  const [busy, setBusy] = useState('');
  const [failure, setFailure] = useState('');
  const [said, setSaid] = useState('');
  const running = useRef(false);
  const clear = () => {
    setFailure('');
    setSaid('');
  };
  /** Does nothing while another action runs. Resolves to true on success. */
  const run = async (key: string, work: () => Promise<unknown>, done?: string): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(key);
    clear();
    try {
      await work();
      if (done !== undefined) setSaid(done);
      return true;
    } catch (error) {
      clear();
      setFailure(message(error));
      return false;
    } finally {
      running.current = false;
      setBusy('');
    }
  };
  return { busy, failure, said, run, clear, setFailure, setSaid };
}
