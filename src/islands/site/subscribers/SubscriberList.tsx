import { useEffect, useRef, useState } from 'react';
import { dayText } from '#blog/dates.ts';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import type { Subscriber } from '#blog/newsletter/newsletter.ts';
import { subscribeSchema } from '#blog/newsletter/subscriber-forms.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { changeNewsletter, exportSubscribers, listSubscribers } from '#stores/newsletter.ts';
import { saveFile } from '../../save-file.ts';
import { useForm } from '../../use-form.tsx';
import { useWork } from '../../use-work.ts';
import { SearchField } from '../SearchField.tsx';
import { ImportSubscribers } from './ImportSubscribers.tsx';

interface SubscriberListProps {
  /** False while the newsletter is off: an added subscriber could not be asked. */
  readonly canAdd: boolean;
  readonly onChanged: () => Promise<void>;
}

export function SubscriberList({ canAdd, onChanged }: SubscriberListProps) {
  const list = useSubscribers();
  const work = useWork(newsletterMessage);
  const [removing, setRemoving] = useState<Subscriber>();
  const changed = async () => void (await Promise.all([list.reload(), onChanged()]));
  const remove = async ({ id, address }: Subscriber) => {
    const removed = () => changeNewsletter({ action: 'remove', id }).then(changed);
    await work.run(id, removed, newsletterText.removed({ address }));
    setRemoving(undefined);
  };
  return (
    <section aria-label={newsletterText.list} className="grid min-w-0 gap-8">
      <div className="min-w-0">
        <SearchField
          label={newsletterText.search}
          onSearch={(text) => {
            work.clear();
            void list.load(text);
          }}
        />
        <p role="status" className="mt-3 min-h-6 text-base text-soft wrap-anywhere">
          {work.said || (list.subscribers?.length === 0 && newsletterText.none)}
        </p>
        <Banner message={work.failure || list.failure} className="my-3 empty:hidden" />
        {!list.subscribers && !list.failure && <Spinner label={peopleText.loading} />}
        <ul className="list-none divide-y divide-hairline border-t border-hairline p-0">
          {list.subscribers?.map((subscriber) => (
            <li key={subscriber.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <div className="min-w-0 wrap-anywhere">
                <p className="font-medium">
                  <bdi>{subscriber.address || newsletterText.states.left}</bdi>
                </p>
                <p className="text-sm text-soft">
                  {newsletterText.sinceFrom({
                    state: newsletterText.states[subscriber.state],
                    source: newsletterText.sources[subscriber.source],
                    day: dayText(new Date(subscriber.since)),
                  })}
                </p>
              </div>
              <Button
                tone="quiet"
                aria-label={newsletterText.removeOf({ address: subscriber.address })}
                busy={work.busy === subscriber.id}
                onClick={() => setRemoving(subscriber)}
              >
                {newsletterText.remove}
              </Button>
            </li>
          ))}
        </ul>
        <div className="mt-6 flex flex-wrap gap-3">
          {list.hasMore && (
            <Button tone="quiet" busy={list.isLoading} onClick={() => void list.more()}>
              {newsletterText.more}
            </Button>
          )}
          <Button
            tone="quiet"
            busy={work.busy === 'export'}
            onClick={() => void work.run('export', async () => saveFile(await exportSubscribers(), 'subscribers.csv'))}
          >
            {newsletterText.exportAll}
          </Button>
        </div>
      </div>
      {canAdd && <AddForm onAdded={changed} />}
      <ImportSubscribers onImported={changed} />
      {removing && (
        <ConfirmDialog
          title={newsletterText.removeTitle({ address: removing.address })}
          description={newsletterText.removeQuestion}
          cancel={newsletterText.cancel}
          confirm={newsletterText.removeConfirm}
          working={peopleText.working}
          busy={work.busy !== ''}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => void remove(removing)}
        />
      )}
    </section>
  );
}

function AddForm({ onAdded }: { onAdded: () => Promise<void> }) {
  const { field, busy, failure, success, onSubmit } = useForm({
    schema: subscribeSchema,
    initial: { email: '' },
    submit: async ({ email: address }, fields) => {
      const { isDone } = await changeNewsletter({ action: 'add', address });
      if (!isDone) return { failure: newsletterText.notAdded({ address }) };
      fields.set({ email: '' });
      await onAdded();
      return { success: newsletterText.added({ address }) };
    },
    message: newsletterMessage,
  });
  return (
    <form noValidate onSubmit={onSubmit} className="max-w-[40rem]">
      <h3 className="text-lg">{newsletterText.add}</h3>
      <p className="mt-1 mb-4 text-base text-soft">{newsletterText.addHelp}</p>
      <Banner message={failure} className="mb-4 empty:hidden" />
      <Field
        label={newsletterText.emailAddress}
        type="email"
        inputMode="email"
        autoComplete="off"
        {...field('email')}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" busy={busy}>
          {newsletterText.addSubmit}
        </Button>
        <p role="status" className="text-base text-soft wrap-anywhere">
          {success}
        </p>
      </div>
    </form>
  );
}

function useSubscribers() {
  const [subscribers, setSubscribers] = useState<readonly Subscriber[]>();
  const [next, setNext] = useState<string>();
  const [failure, setFailure] = useState('');
  const [isLoading, setLoading] = useState(false);
  const search = useRef('');
  const turn = useRef(0);

  /** Appends the page after `after` to `before`, unless a newer request has started meanwhile. */
  const fetchPage = async (before: readonly Subscriber[], after: string) => {
    turn.current += 1;
    const mine = turn.current;
    setLoading(true);
    setFailure('');
    try {
      const page = await listSubscribers(search.current, after);
      if (mine !== turn.current) return;
      setSubscribers([...before, ...page.subscribers]);
      setNext(page.next);
    } catch (error) {
      if (mine === turn.current) setFailure(newsletterMessage(error));
    } finally {
      if (mine === turn.current) setLoading(false);
    }
  };
  const load = (text: string) => {
    search.current = text;
    return fetchPage([], '');
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when the list is shown.
  useEffect(() => void load(''), []);
  return {
    ...{ subscribers, failure, isLoading, load },
    hasMore: next !== undefined,
    more: () => fetchPage(subscribers ?? [], next ?? ''),
    reload: () => load(search.current),
  };
}
