/** Checks a request's project and its caller's scope (contract 1.1, 1.6). */
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../caller.ts';
import { AppwriteError } from '../errors.ts';
import type { Query } from '../query-string.ts';
import { header } from './credentials.ts';

const KEYLESS_TEXT =
  'No Appwrite project was specified. Please specify your project ID when initializing your Appwrite SDK.';
const CONSOLE_TEXT =
  'This endpoint is not available for the console project. The Appwrite Console is a reserved project ID and cannot be used with the Appwrite SDKs and APIs. Please check if your project ID is correct.';

/** Returns the project named in the request; the query string takes precedence over the header. */
export function projectOf(request: IncomingMessage, query: Query): string {
  const named = query.project;
  if (typeof named === 'string' && named !== '') return named;
  return header(request, 'x-appwrite-project') ?? '';
}

/** Throws 401, 403 or 404 unless the request names this project. */
export function requireProject(request: IncomingMessage, query: Query, projectId: string): void {
  const project = projectOf(request, query);
  if (project === projectId) return;
  if (project === '' && request.headers['x-appwrite-key']) throw new AppwriteError('project_id_missing');
  if (project === '' || project === 'console') {
    throw new AppwriteError('general_access_forbidden', project === '' ? KEYLESS_TEXT : CONSOLE_TEXT);
  }
  throw new AppwriteError('project_not_found');
}

/** Throws 401 `general_unauthorized_scope` if the caller lacks the scope. The message names both. */
export function requireScope(caller: Caller, scope: string, request: IncomingMessage, projectId: string): void {
  if (caller.scopes.has(scope)) return;
  const host = (request.headers.host ?? 'localhost').replace(/:\d+$/, '');
  const who =
    caller.kind === 'key'
      ? [`app.${projectId}@service.${host}`, 'applications']
      : [caller.user?.email || 'User', caller.kind === 'user' ? 'users' : 'guests'];
  throw new AppwriteError(
    'general_unauthorized_scope',
    `${who[0]} (role: ${who[1]}) missing scopes (${JSON.stringify([scope])})`,
  );
}
