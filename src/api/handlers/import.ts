/** Handles imports: `begin` announces a file, `?upload` sends chunks, `start` imports it, `?report` lists results. */

import { IMPORT_CHUNK, importActionSchema } from '#blog/import.ts';
import { bodyOf, json, objectOf } from '../json.ts';
import { type Call, checked } from '../route.ts';

const ACTION_MAX_BYTES = 4096;
const actionOf = checked(importActionSchema);

export async function importState({ site: { imports }, userId, query }: Call<'imports'>): Promise<Response> {
  const id = query.get('report');
  if (id === null) return json(200, imports.state(userId));
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(await imports.report(id, userId), { headers });
}

export async function changeImport({ request, site: { imports }, userId, query }: Call<'imports'>): Promise<Response> {
  const upload = query.get('upload');
  if (upload !== null) {
    const offset = Number(query.get('offset'));
    await imports.append(upload, offset, await bodyOf(request, IMPORT_CHUNK), userId);
    return json(200, imports.state(userId));
  }
  const asked = actionOf(await objectOf(request, ACTION_MAX_BYTES));
  if (asked.action === 'begin') await imports.begin(asked, userId);
  else if (asked.action === 'start') imports.start(asked, userId);
  else await imports.cancel(asked.id, userId);
  return json(200, imports.state(userId));
}
