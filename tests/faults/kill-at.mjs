// Kills a program with SIGKILL at the step given by KILL_AT. Load it with NODE_OPTIONS=--import; the program needs no
// hook. KILL_AT is JSON: [end of the script's path, pattern, "before" | "after"]. The pattern is matched against
// console output and the new names of renamed or linked files (for the journal, "journal.json: " and its state).
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [script, pattern, when] = JSON.parse(process.env.KILL_AT || '[]');

if (script && process.argv[1]?.endsWith(script)) {
  const step = new RegExp(pattern);
  const die = () => process.kill(process.pid, 'SIGKILL');
  const print = console.log;
  console.log = (...texts) => {
    print(...texts);
    if (step.test(texts.join(' '))) die();
  };
  const nameOf = (from, to) =>
    `${to}`.endsWith('journal.json') ? `journal.json: ${JSON.parse(fs.readFileSync(from, 'utf8')).state}` : `${to}`;
  for (const call of ['renameSync', 'linkSync']) {
    const original = fs[call];
    fs[call] = (from, to) => {
      const isStep = step.test(nameOf(from, to));
      if (isStep && when === 'before') die();
      original(from, to);
      if (isStep) die();
    };
  }
  syncBuiltinESMExports();
}
