import { useRef } from 'react';
import { dayText } from '#blog/dates.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { endOtherSessions, endSession, type OwnSession, ownSessions } from '#stores/account/account.ts';
import { usePart } from '../use-part.tsx';
import { Section } from './Section.tsx';

export function Sessions() {
  const { state: sessions, setState, work, waiting } = usePart(ownSessions, accountMessage);
  const status = useRef<HTMLParagraphElement>(null);

  // If the list fails to load, shows an error instead of rejecting, because the session has already been ended.
  const reload = () => ownSessions().then(setState, (error: unknown) => work.setFailure(accountMessage(error)));
  const end = async (which: string, act: () => Promise<void>, done: string) => {
    if (await work.run(which, () => act().then(reload), done)) status.current?.focus();
  };

  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Section title={accountText.sessions} help={accountText.sessionsHelp}>
      {sessions ? <Banner message={work.failure} className="mb-5 empty:hidden" /> : waiting}
      {sessions && (
        <ul className="list-none divide-y divide-hairline p-0">
          {sessions.map((session) => (
            <li key={session.id} className="flex min-h-16 items-center justify-between gap-4 py-2">
              <div className="min-w-0 wrap-anywhere">
                <p className="font-medium">{deviceOf(session)}</p>
                <p className="text-sm text-soft">{whereAndWhen(session)}</p>
              </div>
              {session.isCurrent ? (
                <p className="shrink-0 text-sm font-medium">{accountText.thisDevice}</p>
              ) : (
                <Button
                  tone="quiet"
                  className="shrink-0"
                  aria-label={accountText.signOutOf({ device: deviceOf(session) })}
                  busy={work.busy === session.id}
                  onClick={() =>
                    void end(
                      session.id,
                      () => endSession(session.id),
                      accountText.signedOut({ device: deviceOf(session) }),
                    )
                  }
                >
                  {accountText.signOut}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {others.length > 1 && (
        <Button
          tone="quiet"
          className="mt-4"
          busy={work.busy === 'others'}
          onClick={() => void end('others', endOtherSessions, accountText.othersSignedOut)}
        >
          {accountText.signOutOthers}
        </Button>
      )}
      <p role="status" ref={status} tabIndex={-1} className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
        {work.said || (sessions && others.length === 0 && accountText.noOthers)}
      </p>
    </Section>
  );
}

function deviceOf({ browser, system }: OwnSession): string {
  if (browser && system) return accountText.device({ browser, system });
  return browser || system || accountText.unknownDevice;
}

const whereAndWhen = ({ country, address, since }: OwnSession): string =>
  [country, address, accountText.since({ day: dayText(new Date(since)) })].filter(Boolean).join(' · ');
