// Loaded before a program (NODE_OPTIONS=--import): ends it as kill -9 does at a step that KILL_AT names, so that no program
// needs to know of it. KILL_AT is JSON: [end of the script's path, pattern, "before" | "after"]; the pattern is looked for
// in what is printed, and in the names that files are given ("journal.json" with the state in it).
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
