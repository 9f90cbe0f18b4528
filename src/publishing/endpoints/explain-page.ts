/** `GET /api/pages?path=/post/x`: the operator asks why a page is as it is. */
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireOperator } from './guards/operator-token.ts';
import { answer, EndpointError, json } from './json-endpoint.ts';
import { storedPathOf } from './rebuild.ts';

export function pagesEndpoint(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<Response> {
  return answer(async () => {
    const { explain } = requireOperator(request, caller, publishing);
    const path = new URL(request.url).searchParams.get('path');
    if (!path) throw new EndpointError(400, 'Name a page: /api/pages?path=/post/x');
    const report = explain(storedPathOf(path));
    if (!report) throw new EndpointError(404, `${path} is not stored. It is rendered when somebody asks for it.`);
    return json(200, report);
  });
}
