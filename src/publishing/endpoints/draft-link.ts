/** `POST /api/draft-link`: finds, makes and takes back the link that shows a draft, for its author alone. */
import { draftLinkSchema } from '#blog/draft-links/draft-link-action.ts';
import { DRAFT_LINK_HOLDS } from '#blog/draft-links/draft-links.ts';
import { faultOf } from '#blog/errors.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, json, objectOf } from './json-endpoint.ts';

const BODY_LIMIT = 4096;

export function draftLinkEndpoint(request: Request, address: string, publishing: PublishingLocals | undefined) {
  return answer(async () => {
    const links = publishing?.draftLinks;
    if (!publishing || !links) throw new EndpointError(403, 'This site has no server key: ask its operator.');
    requireSameOrigin(request, publishing.siteUrl);
    const userId = await signedIn(request, address, publishing, 'Sign in to share a draft.');
    publishing.limits.people.spend(userId);
    const parsed = draftLinkSchema.safeParse(await objectOf(request, BODY_LIMIT));
    if (!parsed.success) throw new EndpointError(400, 'Send { action: find | make | take-back, slug, holds? }.');
    const wanted = parsed.data;
    try {
      const post = await links.post(wanted.slug);
      // A caller who may not read it does not learn that it is there.
      if (post?.userId !== userId) throw new EndpointError(404, 'not-found');
      if (wanted.action === 'find') return json(200, { link: await links.find(post) });
      if (wanted.action === 'take-back') {
        await links.takeBack(post.id);
        return json(200, {});
      }
      if (post.status === 'active') throw new EndpointError(422, 'published');
      return json(200, { link: await links.make(post, DRAFT_LINK_HOLDS[wanted.holds]) });
    } catch (error) {
      if (error instanceof EndpointError) throw error;
      const { type, message } = faultOf(error);
      if (type === 'collection_not_found') throw new EndpointError(403, 'Run npm run provision first.');
      throw new EndpointError(503, `The backend did not answer. ${message}`, { 'retry-after': '5' });
    }
  });
}
