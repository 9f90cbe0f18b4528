import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { dayText } from '#blog/dates.ts';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { peopleText } from '#blog/messages/people.ts';
import type { Subscriber } from '#blog/newsletter/newsletter.ts';
import { IMPORT_MAX_BYTES, type ImportedSubscribers, subscribeSchema } from '#blog/newsletter/subscriber-forms.ts';
import { Button } from '#components/controls/Button.tsx';
import { ConfirmDialog } from '#components/controls/Dialog.tsx';
import { Field } from '#components/controls/Field.tsx';
import { changeNewsletter, exportSubscribers, listSubscribers } from '#stores/newsletter.ts';
import { saveFile } from '../../save-file.ts';
import { StatusForm, useForm } from '../../use-form.tsx';
import { useWork } from '../../use-work.ts';
import { SearchList, usePages } from '../SearchList.tsx';

interface SubscriberListProps {
  /** False if the newsletter is off or the site sends no email, because an added subscriber could not confirm. */
  readonly canAdd: boolean;
  readonly onChanged: () => Promise<void>;
}

export function SubscriberList({ canAdd, onChanged }: SubscriberListProps) {
  const list = usePages(listSubscribers, newsletterMessage);
  const work = useWork(newsletterMessage);
  const [removing, setRemoving] = useState<Subscriber>();
  const changed = async () => void (await Promise.all([list.reload(), onChanged()]));
  const remove = async ({ id, address }: Subscriber) => {
    const removed = () => changeNewsletter({ action: 'remove', id }).then(changed);
    await work.run(id, removed, newsletterText.removed({ address }));
    setRemoving(undefined);
  };
  const download = () => work.run('export', async () => saveFile(await exportSubscribers(), 'subscribers.csv'));
  return (
    <section aria-label={newsletterText.list} className="grid min-w-0 gap-8">
      <div className="min-w-0">
        <SearchList
          label={newsletterText.search}
          list={list}
          work={work}
          status={list.shown?.items.length === 0 && newsletterText.none}
          aside={
            <Button tone="quiet" busy={work.busy === 'export'} onClick={() => void download()}>
              {newsletterText.exportAll}
            </Button>
          }
        >
          {list.shown?.items.map((subscriber) => (
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
        </SearchList>
      </div>
      {canAdd && <AddForm onAdded={changed} />}
      <ImportSubscribers onImported={changed} />
      {removing && (
        <ConfirmDialog
          title={newsletterText.removeTitle({ address: removing.address })}
          description={newsletterText.removeQuestion}
          cancel={peopleText.cancel}
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
  const form = useForm({
    schema: subscribeSchema,
    initial: { email: '' },
    submit: async ({ email: address }, fields) => {
      const { isDone } = await changeNewsletter<{ isDone: boolean }>({ action: 'add', address });
      if (!isDone) return { failure: newsletterText.notAdded({ address }) };
      fields.set({ email: '' });
      await onAdded();
      return { success: newsletterText.added({ address }) };
    },
    message: newsletterMessage,
  });
  return (
    <div className="max-w-[40rem]">
      <h3 className="text-lg">{newsletterText.add}</h3>
      <p className="mt-1 mb-4 text-base text-soft">{newsletterText.addHelp}</p>
      <StatusForm form={form} labels={[newsletterText.addSubmit]} tone="primary">
        <Field
          label={newsletterText.emailAddress}
          type="email"
          inputMode="email"
          autoComplete="off"
          {...form.field('email')}
        />
      </StatusForm>
    </div>
  );
}

const MOST_MEGABYTES = IMPORT_MAX_BYTES / 1024 / 1024;

function ImportSubscribers({ onImported }: { onImported: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const form = useForm({
    schema: z.object({}),
    initial: {},
    submit: async () => {
      const file = input.current?.files?.[0];
      if (!file || file.size > IMPORT_MAX_BYTES) {
        setFault(file ? newsletterText.fileTooLarge({ most: MOST_MEGABYTES }) : newsletterText.noFile);
        input.current?.focus();
        return {};
      }
      const counts = await changeNewsletter<ImportedSubscribers>({ action: 'import', csv: await file.text() });
      await onImported();
      return { success: newsletterText.imported(counts) };
    },
    message: newsletterMessage,
  });
  return (
    <div className="max-w-[40rem]">
      <h3 className="mb-4 text-lg">{newsletterText.importTitle}</h3>
      <StatusForm form={form} labels={[newsletterText.importSubmit, newsletterText.importing]}>
        <Field
          label={newsletterText.importFile}
          help={newsletterText.importHelp}
          error={fault}
          ref={input}
          type="file"
          accept=".csv,.txt,text/csv"
          onChange={() => setFault('')}
        />
      </StatusForm>
    </div>
  );
}
