import { draftLinkSchema } from '#blog/draft-links/draft-link-action.ts';
import { forgotSchema } from '#blog/forms/account-forms.ts';
import {
  claimSchema,
  moderationSchema,
  newPasswordSchema,
  oneTimeLinkSchema,
  peopleActionSchema,
  writersSchema,
} from '#blog/people.ts';
import { TEXT_FIELD_NAMES } from '#blog/post.ts';
import { previewSchema } from '#blog/preview.ts';
import { deleteAccount, deletionOf, mailState, openLink, sendRecovery, setPassword } from './handlers/accounts.ts';
import { authorNames } from './handlers/author-names.ts';
import { copyPicture, pictureAddressOf } from './handlers/copy-picture.ts';
import { changeDraftLink } from './handlers/draft-link.ts';
import { changeImport, importState } from './handlers/import.ts';
import { receivePeerMessage } from './handlers/peers.ts';
import { changePeople, changeWriters, claim, listPeople, moderate, siteState } from './handlers/people.ts';
import { explainPage, rebuild, rebuildOf } from './handlers/rebuild.ts';
import { changeOf, revalidate } from './handlers/revalidate.ts';
import { receiveWebhook } from './handlers/webhook.ts';
import { type AnyRoute, checked, fieldAndFault, route } from './route.ts';

/** The longest storable text as JSON, at three bytes per letter. */
const PREVIEW_MAX_BYTES = 4 * 1024 * 1024;

export const ROUTES: readonly AnyRoute[] = [
  route({ method: 'GET', path: 'authors', who: 'anyone', limit: 'authorNames', handler: authorNames }),
  route({ method: 'GET', path: 'site', who: 'anyone', limit: 'siteStates', handler: siteState }),

  route({
    method: 'POST',
    path: 'revalidate',
    who: 'user',
    signIn: 'Sign in to publish.',
    limit: 'revalidations',
    body: changeOf,
    handler: revalidate,
  }),
  // Rendered by `pages/api/preview.astro`.
  route({
    method: 'POST',
    path: 'preview',
    who: 'user',
    signIn: 'Sign in to see a preview.',
    limit: 'previews',
    maxBytes: PREVIEW_MAX_BYTES,
    body: checked(
      previewSchema,
      (issue) => `Send { ${TEXT_FIELD_NAMES.join(', ')}, featuredImage, existing? }. ${fieldAndFault(issue)}`,
    ),
  }),
  route({
    method: 'POST',
    path: 'pictures/copy',
    who: 'user',
    signIn: 'Sign in to copy pictures.',
    needs: 'remotePictures',
    limit: 'pictureCopies',
    maxBytes: 16 * 1024,
    body: pictureAddressOf,
    handler: copyPicture,
  }),
  route({
    method: 'POST',
    path: 'draft-link',
    who: 'user',
    signIn: 'Sign in to share a draft.',
    needs: 'draftLinks',
    limit: 'people',
    body: checked(draftLinkSchema, () => 'Send { action: find | make | take-back, slug, holds? }.'),
    handler: changeDraftLink,
  }),

  route({ method: 'GET', path: 'recovery', who: 'anyone', needs: 'people', handler: mailState }),
  route({
    method: 'POST',
    path: 'recovery',
    who: 'page',
    needs: 'people',
    limit: 'recoveries',
    body: checked(forgotSchema, ({ message }) => message),
    handler: sendRecovery,
  }),
  route({
    method: 'POST',
    path: 'account/link',
    who: 'page',
    needs: 'people',
    limit: 'oneTimeLinks',
    body: checked(oneTimeLinkSchema),
    handler: openLink,
  }),
  route({
    method: 'POST',
    path: 'account/password',
    who: 'user',
    needs: 'people',
    limit: 'people',
    body: checked(newPasswordSchema),
    handler: setPassword,
  }),
  route({
    method: 'POST',
    path: 'account/delete',
    who: 'user',
    signIn: 'Sign in to delete your account.',
    needs: 'people',
    limit: 'people',
    body: deletionOf,
    handler: deleteAccount,
  }),

  // `backend/people` checks the rights of owners and editors.
  route({ method: 'GET', path: 'people', who: 'user', needs: 'people', limit: 'people', handler: listPeople }),
  route({
    method: 'POST',
    path: 'people',
    who: 'user',
    needs: 'people',
    limit: 'people',
    body: checked(peopleActionSchema),
    handler: changePeople,
  }),
  route({
    method: 'POST',
    path: 'posts',
    who: 'user',
    needs: 'people',
    limit: 'people',
    body: checked(moderationSchema),
    handler: moderate,
  }),
  route({
    method: 'POST',
    path: 'site',
    who: 'user',
    needs: 'people',
    limit: 'people',
    body: checked(writersSchema),
    handler: changeWriters,
  }),
  route({
    method: 'POST',
    path: 'claim',
    who: 'user',
    needs: 'people',
    limit: 'people',
    body: checked(claimSchema),
    handler: claim,
  }),
  route({ method: 'GET', path: 'import', who: 'owner', needs: 'imports', limit: 'imports', handler: importState }),
  route({ method: 'POST', path: 'import', who: 'owner', needs: 'imports', limit: 'imports', handler: changeImport }),

  route({
    method: 'POST',
    path: 'rebuild',
    who: 'operator',
    needs: 'rebuildToken',
    maxBytes: 256 * 1024,
    body: rebuildOf,
    handler: rebuild,
  }),
  route({ method: 'GET', path: 'pages', who: 'operator', needs: 'rebuildToken', handler: explainPage }),
  route({ method: 'POST', path: 'peers', who: 'signer', needs: 'peerSecret', handler: receivePeerMessage }),
  route({
    method: 'POST',
    path: 'webhooks/appwrite',
    who: 'signer',
    needs: 'webhookSecret',
    handler: receiveWebhook,
  }),
];
