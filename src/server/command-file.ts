import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the path of a command's script. The npm package ships JavaScript, because Node does not strip types from
 * files in `node_modules`.
 * @param dist the folder of the built site
 */
export function commandFile(dist: string, name: string): string {
  const script = join(dist, '..', 'scripts', name);
  return existsSync(`${script}.ts`) ? `${script}.ts` : `${script}.js`;
}
