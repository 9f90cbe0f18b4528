import { useRef, useState } from 'react';
import * as z from 'zod/mini';
import { newsletterMessage, newsletterText } from '#blog/messages/newsletter.ts';
import { IMPORT_MAX_BYTES, type ImportedSubscribers } from '#blog/newsletter/subscriber-forms.ts';
import { Field } from '#components/controls/Field.tsx';
import { changeNewsletter } from '#stores/newsletter.ts';
import { StatusForm, useForm } from '../../use-form.tsx';

const MOST_MEGABYTES = IMPORT_MAX_BYTES / 1024 / 1024;

export function ImportSubscribers({ onImported }: { onImported: () => Promise<void> }) {
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
