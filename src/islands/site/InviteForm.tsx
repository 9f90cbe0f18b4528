/** Invites somebody by address: by mail, or with a link to hand over. */
import { useState } from 'react';
import { peopleMessage, peopleText } from '#blog/messages/people.ts';
import { invitationSchema, SITE_ROLES, type SiteRole } from '#blog/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { controlClass, Field } from '#components/controls/Field.tsx';
import { changePeople } from '#stores/people.ts';
import { useFields, useSubmit } from '../form.ts';
import type { OneTimeLink } from './LinkDialog.tsx';

interface InviteFormProps {
  readonly onLink: (link: OneTimeLink) => void;
  readonly onInvited: () => void;
}

export function InviteForm({ onLink, onInvited }: InviteFormProps) {
  const { field, check, set } = useFields(invitationSchema, { email: '', role: 'writer' as SiteRole });
  const [by, setBy] = useState<'mail' | 'link'>('mail');
  const [failure, setFailure] = useState('');
  const [said, setSaid] = useState('');
  const { busy, setBusy, onSubmit } = useSubmit(async (form) => {
    setFailure('');
    setSaid('');
    const input = await check(form);
    if (!input) return;
    setBusy(true);
    try {
      const { link, isMailed, isRenewed } = await changePeople({ action: 'invite', ...input, by });
      if (link) {
        const notes = [by === 'mail' && peopleText.noMail, isRenewed && peopleText.renewed({ email: input.email })];
        onLink({ url: link, name: input.email, time: peopleText.aWeek, note: notes.filter(Boolean).join(' ') });
      }
      if (isMailed) {
        setSaid(
          `${peopleText.mailed({ email: input.email })}${isRenewed ? ` ${peopleText.renewed({ email: input.email })}` : ''}`,
        );
      }
      if (!isMailed && !link) setSaid(peopleText.done.role({ name: input.email, role: peopleText.roles[input.role] }));
      set({ email: '', role: input.role });
      onInvited();
    } catch (error) {
      setFailure(peopleMessage(error));
    } finally {
      setBusy(false);
    }
  });
  const { error, ...role } = field('role');
  return (
    <section aria-labelledby="invite" className="rounded-md border border-hairline p-5">
      <h2 id="invite" className="text-xl">
        {peopleText.invite}
      </h2>
      <p className="mt-1 mb-4 text-base text-soft">{peopleText.inviteHelp}</p>
      <Banner message={failure} className="mb-4 empty:hidden" />
      <form noValidate onSubmit={onSubmit} className="grid gap-x-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label={peopleText.email} type="email" inputMode="email" autoComplete="off" {...field('email')} />
        <Field label={peopleText.role} error={error}>
          {(wiring) => (
            <select
              {...wiring}
              value={role.value}
              className={controlClass}
              onChange={({ target }) => set({ role: target.value as SiteRole })}
            >
              {SITE_ROLES.map((each) => (
                <option key={each} value={each}>
                  {peopleText.roles[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <div className="flex flex-wrap items-center gap-3 sm:col-span-2">
          <Button type="submit" busy={busy} onClick={() => setBy('mail')}>
            {peopleText.inviteByMail}
          </Button>
          <Button type="submit" tone="quiet" busy={busy} onClick={() => setBy('link')}>
            {peopleText.inviteByLink}
          </Button>
          <p role="status" className="text-base text-soft wrap-anywhere">
            {said}
          </p>
        </div>
      </form>
    </section>
  );
}
