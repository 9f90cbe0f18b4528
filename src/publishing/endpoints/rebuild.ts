/** `POST /api/rebuild` `{ all } | { tags } | { paths }`: the operator has pages rendered again and gets the report. */
import { canonical } from '#blog/routes/canonical.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import type { Revalidation } from '../revalidate.ts';
import { requireOperator } from './guards/operator-token.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 256 * 1024;
const MOST_NAMES = 1000;

export function rebuildEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    const { revalidate } = requireOperator(request, caller, publishing);
    const report = await revalidate(wishOf(await objectOf(request, BODY_LIMIT)));
    return json(report.failed.length > 0 ? 503 : 200, report);
  });
}

function wishOf({ all, tags, paths }: Readonly<Record<string, unknown>>): Revalidation {
  const wishes = [all, tags, paths].filter((wish) => wish !== undefined);
  if (wishes.length !== 1) {
    throw new EndpointError(400, 'Send one of { "all": true }, { "tags": ["posts"] } and { "paths": ["/post/x"] }.');
  }
  if (tags !== undefined) return { tags: namesOf(tags, 'tags'), complete: true, from: 'operator' };
  if (paths !== undefined)
    return { paths: namesOf(paths, 'paths').map(storedPathOf), complete: true, from: 'operator' };
  if (all !== true) throw new EndpointError(400, '"all" must be true.');
  return { all: true, complete: true, from: 'operator' };
}

function namesOf(value: unknown, field: string): string[] {
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MOST_NAMES;
  if (!isList || !value.every((name) => typeof name === 'string' && /^[\x21-\x7e]{1,200}$/.test(name))) {
    throw new EndpointError(400, `"${field}" must be a list of 1 to ${MOST_NAMES} names without spaces.`);
  }
  return value;
}

/** The page at a path, whichever of its addresses the operator used. */
export function storedPathOf(path: string): string {
  const given = path.startsWith('/') ? canonical(path) : undefined;
  const address = given && 'redirect' in given ? canonical(given.redirect) : given;
  if (!address || !('page' in address)) throw new EndpointError(400, `${path} is no public page.`);
  return address.page;
}
