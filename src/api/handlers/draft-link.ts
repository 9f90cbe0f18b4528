import type { DraftLinkAction } from '#blog/draft-links/draft-link-action.ts';
import { DRAFT_LINK_HOLDS } from '#blog/draft-links/draft-links.ts';
import { faultOf } from '#blog/errors.ts';
import { ApiError, json } from '../json.ts';
import type { Call } from '../route.ts';

export async function changeDraftLink({ site, userId, body }: Call<'draftLinks', DraftLinkAction>): Promise<Response> {
  const { draftLinks } = site;
  try {
    const post = await draftLinks.post(body.slug);
    // A caller who may not read the draft must not learn that it exists.
    if (post?.userId !== userId) throw new ApiError(404, 'not-found');
    if (body.action === 'find') return json(200, { link: await draftLinks.find(post) });
    if (body.action === 'take-back') {
      await draftLinks.takeBack(post.id);
      return json(200, {});
    }
    if (post.status === 'active') throw new ApiError(422, 'published');
    return json(200, { link: await draftLinks.make(post, DRAFT_LINK_HOLDS[body.holds]) });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { type, message } = faultOf(error);
    if (type === 'collection_not_found') throw new ApiError(403, 'Run npm run provision first.');
    throw new ApiError(503, `The backend did not answer. ${message}`, { 'retry-after': '5' });
  }
}
