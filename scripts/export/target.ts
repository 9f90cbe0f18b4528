/** Checks the target folder of an export, because a web server may publish everything in it. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { OperatorError } from '#blog/errors.ts';
import type { Configuration } from '#server/configuration.ts';

interface ReservedDirectories {
  readonly dataDirectory: string;
  readonly pages: string;
  readonly project: string;
}

/** @throws OperatorError if an export must not be written to the folder */
export function requireTarget(directory: string, { dataDirectory, publishing }: Configuration): void {
  const project = join(import.meta.dirname, '..', '..');
  const fault = faultOfTarget(directory, { dataDirectory, pages: publishing.directory, project });
  if (fault) throw new OperatorError(fault);
}

export function faultOfTarget(
  directory: string,
  { dataDirectory, pages, project }: ReservedDirectories,
): string | undefined {
  const place = real(directory);
  if (isInFile(place)) return `${directory} is a file or inside one. Name a folder for the export.`;
  const data = real(dataDirectory);
  if (holds(place, data))
    return `The data folder is inside ${directory}, so a web server on that folder would give away the database. Name a separate folder for the export.`;
  if (holds(place, real(project)))
    return `${directory} contains Common Ink itself. Name a separate folder for the export.`;
  const own = [
    join(data, 'backend'),
    real(pages),
    ...['dist', 'node_modules'].map((name) => join(real(project), name)),
  ];
  if (own.some((folder) => holds(folder, place)))
    return `${directory} is in a folder where Common Ink creates and removes files by itself. Name a separate folder for the export.`;
  return undefined;
}

function isInFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}

/** Resolves symbolic links in the part of the path that exists. */
function real(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(real(above), whole.slice(above.length));
  }
}

const holds = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
