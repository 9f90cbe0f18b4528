import { expect, test } from 'vitest';
import { openDraftLinks } from '#backend/draft-links/draft-links.ts';
import { postPermissions } from '#blog/permissions.ts';
import { callApi, postRequest, SITE } from '../../../tests/support/api.ts';
import { contentOf } from '../../../tests/support/content.ts';
import { peopleApi, person } from '../../../tests/support/people.ts';
import { sharedSite } from '../../../tests/support/shared-site.ts';
import type { NewsletterService } from '../locals.ts';

const site = await sharedSite();
const newsletter = {
  preview: async ({ title }: { title: string }) => ({ html: title }),
} as unknown as NewsletterService;
const publishing = { ...peopleApi(site), newsletter, draftLinks: openDraftLinks(site.target, SITE) };

test.each([
  ['a published post', 'active', 'active', 200],
  ['a draft', 'inactive', 'inactive', 404],
  ['an active post that only its author may read', 'active', 'inactive', 404],
] as const)('an editor previews the email of %s only if readers see it', async (_, status, readableAs, expected) => {
  const [editor, author] = [await person(site, 'editor'), await person(site, 'writer')];
  const permissions = postPermissions(readableAs, author.id);
  const { $id: slug } = await contentOf(site).post(`of-${author.id}`, { status, userId: author.id, permissions });
  const preview = async ({ session }: typeof editor) => {
    const headers = { cookie: `a_session_common-ink=${session}` };
    return (await callApi(postRequest('/api/newsletter/preview', { slug }, headers), publishing)).status;
  };
  expect([await preview(author), await preview(editor)]).toEqual([200, expected]);
});
