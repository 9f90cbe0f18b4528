import { type FormEvent, type Ref, useRef, useState } from 'react';
import { IMPORT_MAX, type ImportOptions } from '#blog/import.ts';
import { importText } from '#blog/messages/import.ts';
import { Button } from '#components/controls/Button.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { Field } from '#components/controls/Field.tsx';

interface ImportFormProps {
  readonly heading: Ref<HTMLHeadingElement>;
  readonly onSend: (file: File, options: ImportOptions) => void;
}

const WHOSE = [
  [false, importText.mine, importText.mineHelp],
  [true, importText.theirs, importText.theirsHelp],
] as const;

export function ImportForm({ heading, onSend }: ImportFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [oldSite, setOldSite] = useState('');
  const [keepsAuthors, setKeepsAuthors] = useState(false);
  const [faults, setFaults] = useState({ file: '', oldSite: '' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const file = input.current?.files?.[0];
    const address = oldSite.trim().replace(/\/+$/, '');
    const found = {
      file: !file
        ? importText.noFile
        : file.size === 0
          ? importText.emptyFile
          : file.size > IMPORT_MAX
            ? importText.tooLarge
            : '',
      oldSite: address === '' || (/^https?:\/\//.test(address) && URL.canParse(address)) ? '' : importText.oldSiteWrong,
    };
    setFaults(found);
    if (found.file) input.current?.focus();
    else if (file && !found.oldSite) onSend(file, { keepsAuthors, oldSite: address });
  };
  return (
    <form noValidate onSubmit={submit}>
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {importText.title}
      </h2>
      <p className="mt-1 mb-6 text-base text-soft">{importText.help}</p>
      <Field
        label={importText.file}
        help={importText.fileHelp}
        error={faults.file}
        swaps
        ref={input}
        type="file"
        accept=".zip,.xml,.json,.atom,.rss,.wxr"
        onChange={() => setFaults((known) => ({ ...known, file: '' }))}
      />
      <Field
        label={importText.oldSite}
        help={importText.oldSiteHelp}
        error={faults.oldSite}
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://…"
        value={oldSite}
        onChange={({ currentTarget }) => setOldSite(currentTarget.value)}
      />
      <fieldset className="mt-2 grid gap-3">
        <legend className="mb-1.5 text-sm font-medium">{importText.whose}</legend>
        <Choices name="whose" choices={WHOSE} chosen={keepsAuthors} onChoose={setKeepsAuthors} />
      </fieldset>
      <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit">{importText.look}</Button>
        <p className="text-sm text-soft">{importText.lookHelp}</p>
      </div>
    </form>
  );
}
