/**
 * `npm run conformance`: runs the wire contract's checklist against the embedded backend. With `-- --endpoint URL
 * --project ID --key KEY [--limits-endpoint URL] [--mailbox FOLDER] [--webhook-host NAME]`, runs it against any
 * Appwrite. `--sections TAUIDCQSRWGM` and `--only C14,C15` select tests.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { attach } from '../packages/embedded-appwrite/tests/conformance/attach.ts';
import {
  readSettings,
  SettingsError,
  writeSettings,
} from '../packages/embedded-appwrite/tests/conformance/settings.ts';
import { TEXT } from './command.ts';

async function settle(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...{ endpoint: TEXT, project: TEXT, key: TEXT, mailbox: TEXT, sections: TEXT, only: TEXT },
      ...{ 'limits-endpoint': TEXT, 'webhook-host': TEXT },
    },
  });
  writeSettings(values);
  const settings = readSettings();
  if (settings.endpoint) await attach(settings.endpoint, settings);
  console.log(settings.endpoint ? `Appwrite at ${settings.endpoint}` : 'The embedded backend');
}

try {
  await settle();
  const config = join(import.meta.dirname, '../packages/embedded-appwrite/tests/conformance/vitest.config.ts');
  const vitest = await startVitest('test', [], { config, watch: false, run: true });
  await vitest.close();
} catch (error) {
  const known = error instanceof SettingsError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  console.error(known ? (error as Error).message : error);
  process.exitCode = 1;
}
