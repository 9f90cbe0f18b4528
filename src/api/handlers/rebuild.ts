/**
 * Handles the operator's requests: `POST /api/rebuild` with `{ all }`, `{ tags }` or `{ paths }`,
 * `GET /api/pages?path=/post/x` and `POST /api/sync`.
 */
import { canonical } from '#blog/routes/canonical.ts';
import type { Revalidation } from '#publishing/revalidate.ts';
import { ApiError, type JsonObject, json } from '../json.ts';
import type { Call } from '../route.ts';

const MAX_NAMES = 1000;

export async function rebuild({ site, body }: Call<'rebuildToken', Revalidation>): Promise<Response> {
  const report = await site.revalidate(body);
  return json(report.failed.length > 0 ? 503 : 200, report);
}

/** Syncs the operator's folder and responds with the output. The status is 409 after a conflict or a failure. */
export async function syncFolder({ site }: Call<'sync'>): Promise<Response> {
  const { isEqual, output } = await site.sync();
  return json(isEqual ? 200 : 409, { output });
}

export function explainPage({ site, query }: Call<'rebuildToken'>): Response {
  const path = query.get('path');
  if (!path) throw new ApiError(400, 'Name a page: /api/pages?path=/post/x');
  const report = site.explain(storedPathOf(path));
  if (!report) throw new ApiError(404, `${path} is not stored. It will be rendered when someone requests it.`);
  return json(200, report);
}

export function rebuildOf({ all, tags, paths }: JsonObject): Revalidation {
  const wishes = [all, tags, paths].filter((wish) => wish !== undefined);
  if (wishes.length !== 1) {
    throw new ApiError(400, 'Send one of { "all": true }, { "tags": ["posts"] } and { "paths": ["/post/x"] }.');
  }
  if (tags !== undefined) return { tags: namesOf(tags, 'tags'), complete: true, from: 'operator' };
  if (paths !== undefined)
    return { paths: namesOf(paths, 'paths').map(storedPathOf), complete: true, from: 'operator' };
  if (all !== true) throw new ApiError(400, '"all" must be true.');
  return { all: true, complete: true, from: 'operator' };
}

function namesOf(value: unknown, field: string): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_NAMES;
  if (!isList || !value.every((name) => typeof name === 'string' && /^[\x21-\x7e]{1,200}$/.test(name))) {
    throw new ApiError(400, `"${field}" must be a list of 1 to ${MAX_NAMES} names without spaces.`);
  }
  return value;
}

export function storedPathOf(path: string): string {
  const given = path.startsWith('/') ? canonical(path) : undefined;
  const address = given && 'redirect' in given ? canonical(given.redirect) : given;
  if (!address || !('page' in address)) throw new ApiError(400, `${path} is not a public page.`);
  return address.page;
}
