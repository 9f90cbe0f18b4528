import { useEffect, useRef, useState } from 'react';
import { dayText } from '#blog/dates.ts';
import { accountMessage, accountText } from '#blog/messages/account.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { endOtherSessions, endSession, type OwnSession, ownSessions } from '#stores/account/account.ts';
import { useWork } from '../use-work.ts';
import { Section } from './Section.tsx';

export function Sessions() {
  const [sessions, setSessions] = useState<readonly OwnSession[]>();
  const { busy, failure, said, run, setFailure } = useWork(accountMessage);
  const status = useRef<HTMLParagraphElement>(null);

  const load = () =>
    ownSessions().then(
      (all) => {
        setFailure('');
        setSessions(all);
      },
      (error: unknown) => setFailure(accountMessage(error)),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the page is shown.
  useEffect(() => void load(), []);

  const end = async (which: string, work: () => Promise<void>, done: string) => {
    if (await run(which, () => work().then(load), done)) status.current?.focus();
  };

  const others = sessions?.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <Section title={accountText.sessions} help={accountText.sessionsHelp}>
      <Banner message={failure} className="mb-5 empty:hidden" />
      {failure && !sessions && (
        <Button tone="quiet" onClick={() => void load()}>
          {accountText.retry}
        </Button>
      )}
      {!sessions && !failure && <Spinner label={accountText.loading} />}
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
                  busy={busy === session.id}
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
          busy={busy === 'others'}
          onClick={() => void end('others', endOtherSessions, accountText.othersSignedOut)}
        >
          {accountText.signOutOthers}
        </Button>
      )}
      <p role="status" ref={status} tabIndex={-1} className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
        {said || (sessions && others.length === 0 && accountText.noOthers)}
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
