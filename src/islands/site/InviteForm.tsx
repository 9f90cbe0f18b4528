import { useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { invitationSchema, SITE_ROLES, type SiteRole } from '#blog/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Dialog } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { SelectField } from '#components/controls/SelectField.tsx';
import { changePeople } from '#stores/people.ts';
import { useForm } from '../use-form.tsx';

export interface OneTimeLink {
  readonly url: string;
  readonly name: string;
  readonly time: string;
  readonly note?: string;
}

export function InviteForm({ onLink, onInvited }: { onLink: (link: OneTimeLink) => void; onInvited: () => void }) {
  const [by, setBy] = useState<'mail' | 'link'>('mail');
  const { field, set, busy, failure, success, onSubmit } = useForm({
    schema: invitationSchema,
    initial: { email: '', role: 'writer' as SiteRole },
    submit: async ({ email, role }, fields) => {
      const { link, isMailed, isRenewed } = await changePeople({ action: 'invite', email, role, by });
      const renewed = isRenewed ? peopleText.renewed({ email }) : '';
      if (link) {
        const note = [by === 'mail' && peopleText.noMail, renewed].filter(Boolean).join(' ');
        onLink({ url: link, name: email, time: peopleText.aWeek, note });
      }
      fields.set({ email: '', role });
      onInvited();
      if (isMailed) return { success: `${peopleText.mailed({ email })} ${renewed}`.trim() };
      return link ? {} : { success: peopleText.done.role({ name: email, role: peopleText.roles[role] }) };
    },
    message: peopleMessage,
  });
  const role = field('role');
  return (
    <section aria-labelledby="invite" className="rounded-md border border-hairline p-5">
      <h2 id="invite" className="text-xl">
        {peopleText.invite}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{peopleText.inviteHelp}</p>
      <Banner message={failure} className="mb-4 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-x-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label={peopleText.email} type="email" inputMode="email" autoComplete="off" {...field('email')} />
        <SelectField
          label={peopleText.role}
          error={role.error}
          value={role.value}
          choices={SITE_ROLES.map((each) => [each, peopleText.roles[each]])}
          onChange={({ target }) => set({ role: target.value as SiteRole })}
        />
        <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
          <Button type="submit" busy={busy} onClick={() => setBy('mail')}>
            {peopleText.inviteByMail}
          </Button>
          <Button type="submit" tone="quiet" busy={busy} onClick={() => setBy('link')}>
            {peopleText.inviteByLink}
          </Button>
          <p role="status" className="text-base text-soft wrap-anywhere">
            {success}
          </p>
        </div>
      </form>
    </section>
  );
}

/** Shows a one-time link, which cannot be shown again because it is not stored. */
export function LinkDialog({ link: { url, name, time, note }, onClose }: { link: OneTimeLink; onClose: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog
      title={peopleText.linkTitle}
      description={`${note ? `${note} ` : ''}${peopleText.linkHelp({ name, time })}`}
      onClose={onClose}
      actions={
        <>
          <p role="status" className="text-base text-soft">
            {copied && peopleText.copied}
          </p>
          <Button tone="quiet" onClick={onClose}>
            {peopleText.close}
          </Button>
          <Button onClick={() => void navigator.clipboard.writeText(url).then(() => setCopied(true))}>
            {peopleText.copy}
          </Button>
        </>
      }
    >
      <Field label={peopleText.link} readOnly value={url} onFocus={({ target }) => target.select()} />
    </Dialog>
  );
}
