import { draftLinkSchema } from '#blog/draft-links/draft-link-action.ts';
import { forgotSchema } from '#blog/forms/account-forms.ts';
import { mailPreviewSchema, newsletterActionSchema } from '#blog/newsletter/subscriber-forms.ts';
import { ownPasskeysSchema, passkeyOptionsSchema, passkeyUseSchema } from '#blog/passkeys.ts';
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
import { saveSettingsSchema } from '#blog/site-settings/settings.ts';
import { requestOfForm } from './form.ts';
import { deleteAccount, deletionOf, mailState, openLink, sendRecovery, setPassword } from './handlers/accounts.ts';
import { copyPicture, pictureAddressOf } from './handlers/copy-picture.ts';
import { changeDraftLink } from './handlers/draft-link.ts';
import { changeImport, importState } from './handlers/import.ts';
import {
  changeNewsletter,
  exportSubscribers,
  IMPORT_MAX_BODY,
  listSubscribers,
  newsletterState,
  previewMail,
} from './handlers/newsletter.ts';
import { changePasskeys, ownPasskeys, PASSKEY_MAX_BYTES, passkeyOptions, usePasskey } from './handlers/passkeys.ts';
import { receivePeerMessage } from './handlers/peers.ts';
import { authorNames, changePeople, changeWriters, claim, listPeople, moderate, siteState } from './handlers/people.ts';
import { explainPage, rebuild, rebuildOf, syncFolder } from './handlers/rebuild.ts';
import { changeOf, revalidate } from './handlers/revalidate.ts';
import {
  previewSettings,
  SETTINGS_MAX_BYTES,
  saveSettings,
  settingsOfForm,
  settingsState,
  unsavedSettings,
} from './handlers/settings.ts';
import { receiveWebhook } from './handlers/webhook.ts';
import { type AnyRoute, checked, fieldAndFault, get, post } from './route.ts';

/** These routes admit every signed-in user. `backend/people` checks the rights of owners and editors. */
const PEOPLE = { needs: 'people', limit: 'people' } as const;
const PASSKEYS = { needs: 'passkeys', limit: 'passkeys', maxBytes: PASSKEY_MAX_BYTES } as const;
const SETTINGS = { needs: 'settings', maxBytes: SETTINGS_MAX_BYTES } as const;
const NEWSLETTER = { needs: 'newsletter', limit: 'people' } as const;
/** Enough for the longest text that can be stored, as JSON with up to three bytes per character. */
const PREVIEW_MAX_BYTES = 4 * 1024 * 1024;

const bodyOfPreview = checked(
  previewSchema,
  (issue) => `Send { ${TEXT_FIELD_NAMES.join(', ')}, featuredImage, existing? }. ${fieldAndFault(issue)}`,
);
const bodyOfDraftLink = checked(draftLinkSchema, () => 'Send { action: find | make | take-back, slug, holds? }.');
const bodyOfRecovery = checked(forgotSchema, ({ message }) => message);

export const ROUTES: readonly AnyRoute[] = [
  get('authors', 'anyone', { limit: 'authorNames' }, authorNames),
  get('site', 'anyone', { limit: 'siteStates' }, siteState),

  post('revalidate', 'user', { signIn: 'Sign in to publish.', limit: 'revalidations', body: changeOf }, revalidate),
  // Rendered by `pages/api/preview.astro`.
  post('preview', 'user', {
    signIn: 'Sign in to see a preview.',
    limit: 'previews',
    maxBytes: PREVIEW_MAX_BYTES,
    body: bodyOfPreview,
  }),
  post(
    'pictures/copy',
    'user',
    {
      signIn: 'Sign in to copy pictures.',
      needs: 'remotePictures',
      limit: 'pictureCopies',
      maxBytes: 16 * 1024,
      body: pictureAddressOf,
    },
    copyPicture,
  ),
  post(
    'draft-link',
    'user',
    { signIn: 'Sign in to share a draft.', needs: 'draftLinks', limit: 'people', body: bodyOfDraftLink },
    changeDraftLink,
  ),

  get('recovery', 'anyone', { needs: 'people' }, mailState),
  post('recovery', 'page', { needs: 'people', limit: 'recoveries', body: bodyOfRecovery }, sendRecovery),
  post('account/link', 'page', { needs: 'people', limit: 'oneTimeLinks', body: checked(oneTimeLinkSchema) }, openLink),
  post('account/password', 'user', { ...PEOPLE, body: checked(newPasswordSchema) }, setPassword),
  post(
    'account/delete',
    'user',
    { ...PEOPLE, signIn: 'Sign in to delete your account.', maxBytes: PASSKEY_MAX_BYTES, body: deletionOf },
    deleteAccount,
  ),

  post('passkeys/options', 'page', { ...PASSKEYS, body: checked(passkeyOptionsSchema) }, passkeyOptions),
  post('passkeys', 'page', { ...PASSKEYS, body: checked(passkeyUseSchema) }, usePasskey),
  get('passkeys', 'user', { ...PASSKEYS, limit: 'people' }, ownPasskeys),
  post('passkeys/own', 'user', { ...PASSKEYS, limit: 'people', body: checked(ownPasskeysSchema) }, changePasskeys),

  get('people', 'user', PEOPLE, listPeople),
  post('people', 'user', { ...PEOPLE, body: checked(peopleActionSchema) }, changePeople),
  post('posts', 'user', { ...PEOPLE, body: checked(moderationSchema) }, moderate),
  post('site', 'user', { ...PEOPLE, body: checked(writersSchema) }, changeWriters),
  post('claim', 'user', { ...PEOPLE, body: checked(claimSchema) }, claim),
  get('settings', 'owner', { ...SETTINGS, limit: 'people' }, settingsState),
  post('settings', 'owner', { ...SETTINGS, limit: 'people', body: checked(saveSettingsSchema) }, saveSettings),
  post(
    'settings/preview',
    'owner',
    { ...SETTINGS, limit: 'previews', form: settingsOfForm, body: unsavedSettings },
    previewSettings,
  ),
  get('newsletter', 'owner', NEWSLETTER, newsletterState),
  get('newsletter/subscribers', 'owner', NEWSLETTER, listSubscribers),
  get('newsletter/export', 'owner', NEWSLETTER, exportSubscribers),
  post(
    'newsletter',
    'owner',
    { ...NEWSLETTER, maxBytes: IMPORT_MAX_BODY, body: checked(newsletterActionSchema) },
    changeNewsletter,
  ),
  post(
    'newsletter/preview',
    'user',
    { needs: 'newsletter', limit: 'previews', form: requestOfForm, body: checked(mailPreviewSchema) },
    previewMail,
  ),
  // Rendered by `pages/api/subscribe.astro` and `pages/api/subscription.astro`.
  get('subscribe', 'anyone', { limit: 'subscriptionLinks' }),
  post('subscribe', 'page', { limit: 'subscriptions', form: requestOfForm, body: (fields) => fields }),
  get('subscription', 'anyone', { limit: 'subscriptionLinks' }),
  post('subscription', 'anyone', { limit: 'subscriptionLinks', form: requestOfForm, body: (fields) => fields }),
  get('import', 'owner', { needs: 'imports', limit: 'imports' }, importState),
  post('import', 'owner', { needs: 'imports', limit: 'imports' }, changeImport),

  post('rebuild', 'operator', { needs: 'rebuildToken', maxBytes: 256 * 1024, body: rebuildOf }, rebuild),
  post('sync', 'operator', { needs: 'sync' }, syncFolder),
  get('pages', 'operator', { needs: 'rebuildToken' }, explainPage),
  post('peers', 'signer', { needs: 'peerSecret' }, receivePeerMessage),
  post('webhooks/appwrite', 'signer', { needs: 'webhookSecret' }, receiveWebhook),
];
