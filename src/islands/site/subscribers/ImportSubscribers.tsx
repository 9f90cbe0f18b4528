import { type FormEvent, useRef, useState } from 'react';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { IMPORT_MAX_BYTES } from '#blog/newsletter/subscriber-forms.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { controlClass, Field } from '#components/controls/Field.tsx';
import { changeNewsletter } from '#stores/newsletter.ts';
import { useWork } from '../../use-work.ts';

export function ImportSubscribers({ onImported }: { onImported: () => Promise<void> }) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState('');
  const work = useWork(newsletterMessage);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const file = input.current?.files?.[0];
    const most = IMPORT_MAX_BYTES / 1024 / 1024;
    const found = !file
      ? newsletterText.noFile
      : file.size > IMPORT_MAX_BYTES
        ? newsletterText.fileTooLarge({ most })
        : '';
    setFault(found);
    if (!file || found) return input.current?.focus();
    let outcome = '';
    const isDone = await work.run('import', async () => {
      outcome = newsletterText.imported(await changeNewsletter({ action: 'import', csv: await file.text() }));
      await onImported();
    });
    if (isDone) work.setSaid(outcome);
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="max-w-[40rem]">
      <h3 className="mb-4 text-lg">{newsletterText.importTitle}</h3>
      <Banner message={work.failure} className="mb-4 empty:hidden" />
      <Field label={newsletterText.importFile} help={newsletterText.importHelp} error={fault}>
        {(wiring) => (
          <input
            {...wiring}
            ref={input}
            type="file"
            accept=".csv,.txt,text/csv"
            className={`${controlClass} file:mr-3 file:rounded-sm file:border-0 file:bg-well file:px-3 file:py-1 file:font-medium file:text-ink`}
            onChange={() => setFault('')}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" tone="quiet" busy={work.busy !== ''}>
          {work.busy ? newsletterText.importing : newsletterText.importSubmit}
        </Button>
        <p role="status" className="min-w-0 text-base text-soft">
          {work.said}
        </p>
      </div>
    </form>
  );
}
