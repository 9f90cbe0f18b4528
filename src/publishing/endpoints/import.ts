/**
 * `/api/import`: an owner of the site hands over what another platform exported. `begin` says what comes, the bytes come in
 * chunks, `start` reads them; a GET says how far it is, and with `?report` what became of each entry.
 */

import { type People, PeopleError } from '#backend/people/people.ts';
import { IMPORT_CHUNK, type ImportAction, type ImportState, importActionSchema } from '#blog/import.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { bodyOf, EndpointError, json, objectOf } from './json-endpoint.ts';
import { forPeople } from './people.ts';

const BODY_LIMIT = 4096;

/** Why an import was refused, in a word for `blog/messages/import.ts`. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
  readonly refusal: keyof typeof STATUS;
  constructor(refusal: ImportError['refusal']) {
    super(refusal);
    this.refusal = refusal;
  }
}

const STATUS = { busy: 422, 'too-large': 413, 'no-room': 503, gone: 404, 'wrong-offset': 422 } as const;

/** The one import of this server. Every method throws `ImportError`. */
export interface Imports {
  readonly state: () => ImportState;
  /** What became of each entry, as the command prints it. */
  readonly report: (id: string) => Promise<string>;
  begin(asked: Extract<ImportAction, { action: 'begin' }>, userId: string): Promise<void>;
  append(id: string, offset: number, bytes: Buffer): Promise<void>;
  start(asked: Extract<ImportAction, { action: 'start' }>, userId: string): void;
  /** Ends it after the post that is being written, and forgets the file unless posts were written. */
  cancel(id: string): Promise<void>;
}

/** The caller has to be an owner, whom the backend proves and the site's team names, before a body is read. */
function forOwner(
  request: Request,
  address: string,
  publishing: PublishingLocals | undefined,
  work: (imports: Imports, userId: string) => Promise<Response>,
): Promise<Response> {
  const asOwner = async (people: People, userId: string) => {
    if ((await people.roleOf(userId)) !== 'owner') throw new PeopleError('not-allowed');
    const imports = publishing?.imports;
    if (!imports) throw new EndpointError(403, 'This server has no command for imports: ask its operator.');
    return refusing(work(imports, userId));
  };
  return forPeople(request, address, publishing, asOwner, 'imports');
}

async function refusing(work: Promise<Response>): Promise<Response> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ImportError ? new EndpointError(STATUS[error.refusal], error.refusal) : error;
  }
}

export function importStateEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forOwner(request, address, publishing, async (imports) => {
    const id = new URL(request.url).searchParams.get('report');
    if (id === null) return json(200, imports.state());
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(await imports.report(id), { headers });
  });
}

export function importEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return forOwner(request, address, publishing, async (imports, userId) => {
    const { searchParams } = new URL(request.url);
    const upload = searchParams.get('upload');
    if (upload !== null) {
      const offset = Number(searchParams.get('offset'));
      await imports.append(upload, offset, await bodyOf(request, IMPORT_CHUNK));
      return json(200, imports.state());
    }
    const parsed = importActionSchema.safeParse(await objectOf(request, BODY_LIMIT));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new EndpointError(400, `${issue?.path.join('.') || 'The body'}: ${issue?.message ?? 'not valid'}`);
    }
    const asked = parsed.data;
    if (asked.action === 'begin') await imports.begin(asked, userId);
    else if (asked.action === 'start') imports.start(asked, userId);
    else await imports.cancel(asked.id);
    return json(200, imports.state());
  });
}
