/** `POST /api/preview`: a signed-in writer's unsaved text, to be shown by the public renderer to nobody else. */
import { TEXT_FIELD_NAMES } from '#blog/post.ts';
import { type PreviewedPost, previewSchema } from '#blog/preview.ts';
import type { PublishingLocals } from '../endpoint-locals.ts';
import { requireSameOrigin } from './guards/require-same-origin.ts';
import { signedIn } from './guards/require-session.ts';
import { answer, EndpointError, objectOf } from './json-endpoint.ts';

/** Bytes: the longest text that can be stored, in a script of three bytes a letter, written as JSON. */
const BODY_LIMIT = 4 * 1024 * 1024;

export interface PreviewRequest {
  readonly post: PreviewedPost;
  readonly userId: string;
}

/** What is to be shown, or the answer to a request that may not be served. */
export async function previewRequest(
  request: Request,
  caller: string,
  publishing: PublishingLocals | undefined,
): Promise<PreviewRequest | Response> {
  let wanted: PreviewRequest | undefined;
  const refusal = await answer(async () => {
    // In development there are no sessions to ask for.
    const userId = publishing ? await writerOf(request, caller, publishing) : '';
    const parsed = previewSchema.safeParse(await objectOf(request, BODY_LIMIT));
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' };
      throw new EndpointError(
        400,
        `Send { ${TEXT_FIELD_NAMES.join(', ')}, featuredImage, existing? }. ${path.join('.')}: ${message}`,
      );
    }
    wanted = { post: parsed.data, userId };
    return new Response(null);
  });
  return wanted ?? refusal;
}

/** The signed-in user who asks for one more preview. */
async function writerOf(request: Request, caller: string, publishing: PublishingLocals): Promise<string> {
  requireSameOrigin(request, publishing.siteUrl);
  const userId = await signedIn(request, caller, publishing, 'Sign in to see a preview.');
  publishing.limits.previews.spend(userId);
  return userId;
}
