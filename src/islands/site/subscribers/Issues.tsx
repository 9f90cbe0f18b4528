import { useEffect, useState } from 'react';
import { faultWords, newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import type { Issue, IssueState } from '#blog/newsletter/newsletter.ts';
import { postPath } from '#blog/routes/paths.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { changeNewsletter } from '#stores/newsletter.ts';
import { dateTimeText } from '../../post-form/format-time.ts';
import { useWork } from '../../use-work.ts';

/** Interval at which the newsletter's state is reloaded while an issue is being sent. */
const LOOK_AGAIN_MS = 5000;

const OPEN: ReadonlySet<IssueState> = new Set(['waiting', 'sending', 'paused']);

interface IssuesProps {
  readonly issues: readonly Issue[];
  readonly onChanged: () => Promise<void>;
}

export function Issues({ issues, onChanged }: IssuesProps) {
  const work = useWork(newsletterMessage);
  const [stopping, setStopping] = useState<Issue>();
  const isSending = issues.some(({ state }) => state === 'sending');
  useEffect(() => {
    if (!isSending) return;
    const timer = setInterval(() => void onChanged().catch(() => undefined), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isSending, onChanged]);

  const act = (action: 'pause' | 'resume' | 'cancel', id: string) =>
    work.run(id, () => changeNewsletter({ action, id }).then(onChanged));
  return (
    <section aria-labelledby="issues" className="min-w-0">
      <h2 id="issues" className="text-xl">
        {newsletterText.issues}
      </h2>
      <Banner message={work.failure} className="my-3 empty:hidden" />
      {issues.length === 0 && <p className="mt-2 text-base text-soft">{newsletterText.noIssues}</p>}
      <ul className="mt-3 list-none divide-y divide-hairline p-0">
        {issues.map((issue) => (
          <li key={issue.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
            <IssueFacts issue={issue} />
            {OPEN.has(issue.state) && (
              <div className="flex flex-wrap gap-2">
                <Button
                  tone="quiet"
                  busy={work.busy === issue.id}
                  onClick={() => void act(issue.state === 'paused' ? 'resume' : 'pause', issue.id)}
                >
                  {issue.state === 'paused' ? newsletterText.resume : newsletterText.pause}
                </Button>
                <Button tone="quiet" busy={work.busy === issue.id} onClick={() => setStopping(issue)}>
                  {newsletterText.stop}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {stopping && (
        <ConfirmDialog
          title={newsletterText.stopTitle}
          description={newsletterText.stopQuestion({ title: titleOf(stopping) })}
          cancel={peopleText.cancel}
          confirm={newsletterText.stopConfirm}
          working={peopleText.working}
          busy={work.busy !== ''}
          onClose={() => setStopping(undefined)}
          onConfirm={async () => {
            await act('cancel', stopping.id);
            setStopping(undefined);
          }}
        />
      )}
    </section>
  );
}

function titleOf({ slugs, title }: Issue): string {
  if (slugs.length === 1) return title;
  return slugs.length > 1 ? newsletterText.digest({ count: slugs.length }) : newsletterText.emptyDigest;
}

function IssueFacts({ issue }: { issue: Issue }) {
  const { slugs, state, dueAt, sent, failed, faults } = issue;
  const facts = [
    newsletterText.issueStates[state],
    state === 'waiting' && newsletterText.dueAt({ time: dateTimeText(dueAt) }),
    sent > 0 && newsletterText.sentCount({ count: sent }),
    failed > 0 && newsletterText.failedCount({ count: failed }),
  ];
  const reasons = Object.entries(faults).map(([reason, count]) =>
    newsletterText.fault({ count, words: faultWords(reason), reason }),
  );
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="font-medium">
        {slugs.length === 1 ? (
          <a href={postPath(`${slugs[0]}`)} className="hover:text-accent">
            {issue.title}
          </a>
        ) : (
          titleOf(issue)
        )}
      </p>
      {[facts.filter(Boolean).join(' · '), ...reasons].map((line) => (
        <p key={line} className="text-sm text-soft">
          {line}
        </p>
      ))}
    </div>
  );
}
