/** Sends one draft as its form would. Stores each step in the draft, so that no step is repeated after a crash. */

import { postSchema } from '#blog/forms/forms.ts';
import { errorText } from '#blog/messages.ts';
import { formInput, formValues, type Post } from '#blog/post.ts';
import { hoursOf } from '#blog/schedule/hours.ts';
import { prepared, type StoredPicture, uploadPicture } from '#stores/pictures/media.ts';
import { createPost, updatePost } from '#stores/posts/post-actions.ts';
import { isTaken } from '#stores/posts/queued-posts.ts';
import { FEATURED, picturesOf, writeDraft, writePictures } from '../post-form/draft/draft-store.ts';
import { attemptOf, type QueuedDraft, storedAttempt } from './in-line.ts';

/**
 * Creates or updates the draft's post. @throws EditConflict, the backend's errors, or an Error whose message is shown
 * to the author
 */
export async function sendDraft(start: QueuedDraft): Promise<Post> {
  let draft = start;
  const keep = async (change: Partial<QueuedDraft>) => {
    draft = { ...draft, ...change };
    return (await writeDraft(draft)) === 'kept';
  };
  const { userId, slug } = draft;
  const { base } = draft.queued;
  const checked = postSchema.safeParse({ ...formValues(draft), slug });
  if (!checked.success) throw new Error(checked.error.issues[0]?.message);
  const pictures = await picturesOf(draft);
  if (!pictures) throw Object.assign(new Error('The pictures could not be read.'), { code: 503 });
  const isFirst = draft.queued.attempt?.slug === undefined;
  if (!base && isFirst && (await isTaken(slug))) throw Object.assign(new Error(errorText.slugTaken), { code: 409 });

  for (const [address, file] of pictures) {
    if (address === FEATURED) continue;
    if (draft.content.includes(address)) {
      const content = withStored(draft.content, address, await uploadPicture(file, { userId }));
      if (!(await keep({ content }))) continue;
    }
    await writePictures(draft, [], [address]);
  }
  const picture = pictures.get(FEATURED);
  const image = picture && (await prepared(picture));
  const attempt = attemptOf(draft.queued, image);
  const keepAttempt = (now = attempt) => keep({ queued: { ...draft.queued, attempt: storedAttempt(now, image) } });
  if (image && !attempt.fileId) {
    Object.assign(attempt, { fileId: (await uploadPicture(image, { userId })).id, file: image });
    await keepAttempt();
  }
  const { content } = draft;
  const changes = { ...formInput(draft), ...checked.data, ...hoursOf(checked.data), content, image };
  try {
    if (base) return await updatePost(base, changes, { attempt });
    // Stores the slug first, because after a crash the browser cannot tell whether the post was created.
    await keepAttempt({ ...attempt, slug });
    return await createPost({ ...changes, slug, userId }, { attempt });
  } catch (error) {
    await keepAttempt();
    throw error;
  }
}

/**
 * Replaces a local picture with the stored one. If the text sets a smaller width, keeps that width and scales the
 * height to match.
 */
function withStored(html: string, address: string, { src, width, height }: StoredPicture): string {
  return html.replace(/<img src="([^"]*)"(?:[^>"]|"[^"]*")*>/gi, (tag, local) => {
    if (local !== address) return tag;
    const given = Number(/ width="(\d{1,5})"/.exec(tag)?.[1] ?? 0);
    const shown = given > 0 && given < width ? given : width;
    const size = ` width="${shown}" height="${Math.max(1, Math.round((shown * height) / width))}">`;
    return tag
      .replace(local, () => src)
      .replace(/ (?:width|height)="\d*"/g, '')
      .replace(/>$/, size);
  });
}
