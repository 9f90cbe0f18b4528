import { type FormEvent, type Ref, useEffect, useRef, useState } from 'react';
import { IMPORT_MAX, type ImportOptions, type ImportState } from '#blog/import.ts';
import { importMessage, importText } from '#blog/messages/import.ts';
import { peopleText } from '#blog/messages/people.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Choices } from '#components/controls/Choices.tsx';
import { Field } from '#components/controls/Field.tsx';
import { Spinner } from '#components/controls/Spinner.tsx';
import { changeImport, importState, sendExport } from '#stores/imports.ts';
import { ImportReport } from './ImportReport.tsx';

const LOOK_AGAIN_MS = 500;

export function Import() {
  const [state, setState] = useState<ImportState>();
  const [failure, setFailure] = useState('');
  const [isEnding, setIsEnding] = useState(false);
  const upload = useRef<AbortController>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const phase = state?.phase;
  const isRunning = phase === 'looking' || phase === 'importing';

  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when this part is shown.
  useEffect(() => {
    void attempt(importState);
    return () => upload.current?.abort();
  }, []);

  useEffect(() => {
    if (!isRunning) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const look = async () => {
      const next = await importState().catch(() => undefined);
      if (isOver) return;
      if (next) setState(next);
      timer = setTimeout(look, LOOK_AGAIN_MS);
    };
    timer = setTimeout(look, LOOK_AGAIN_MS / 2);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isRunning]);

  // Moves the focus from the button that has disappeared to the heading, which screen readers then announce.
  const former = useRef(phase);
  useEffect(() => {
    if (former.current !== undefined && former.current !== phase) heading.current?.focus();
    former.current = phase;
  }, [phase]);

  async function attempt(work: () => Promise<ImportState>): Promise<ImportState | undefined> {
    setFailure('');
    try {
      const next = await work();
      setState(next);
      return next;
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) setFailure(importMessage(error));
      return undefined;
    }
  }

  const start = (id: string, isDryRun: boolean, options: ImportOptions) =>
    attempt(() => changeImport({ action: 'start', id, isDryRun, ...options }));

  async function send(file: File, options: ImportOptions): Promise<void> {
    upload.current = new AbortController();
    const { signal } = upload.current;
    const sent = await attempt(() => sendExport(file, setState, signal));
    upload.current = undefined;
    if (sent) await start(sent.id, true, options);
    else if (!signal.aborted) await importState().then(setState, () => undefined);
  }

  async function cancel(id: string): Promise<void> {
    upload.current?.abort();
    setIsEnding(true);
    await attempt(() => changeImport({ action: 'cancel', id }));
    setIsEnding(false);
  }

  const again = state && (
    <Button tone="quiet" onClick={() => void cancel(state.id)}>
      {importText.otherFile}
    </Button>
  );
  return (
    <section aria-label={importText.title} className="min-w-0 max-w-prose">
      <Banner message={failure} className="mb-4 empty:hidden" />
      {!state && !failure && <Spinner label={peopleText.loading} />}
      {state?.phase === 'none' && <ImportForm heading={heading} onSend={(file, options) => void send(file, options)} />}
      {state?.phase === 'uploading' && !upload.current && (
        <>
          <h2 ref={heading} tabIndex={-1} className="text-xl wrap-anywhere">
            {importText.leftUnfinished({ name: state.name })}
          </h2>
          <div className="mt-5">{again}</div>
        </>
      )}
      {state && (isRunning || (state.phase === 'uploading' && upload.current)) && (
        <ImportProgress state={state} heading={heading} isEnding={isEnding} onCancel={() => void cancel(state.id)} />
      )}
      {state && /^(?:looked|imported|failed)$/.test(state.phase) && (
        <ImportReport
          state={state}
          heading={heading}
          onFailure={setFailure}
          onStart={() => void start(state.id, false, state.options)}
        >
          {again}
        </ImportReport>
      )}
    </section>
  );
}

interface ImportFormProps {
  readonly heading: Ref<HTMLHeadingElement>;
  readonly onSend: (file: File, options: ImportOptions) => void;
}

const WHOSE = [
  [false, importText.mine, importText.mineHelp],
  [true, importText.theirs, importText.theirsHelp],
] as const;

function ImportForm({ heading, onSend }: ImportFormProps) {
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

interface ImportProgressProps {
  readonly state: ImportState;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly isEnding: boolean;
  readonly onCancel: () => void;
}

const TITLES = { uploading: importText.sending, looking: importText.reading, importing: importText.importing };

function ImportProgress({ state, heading, isEnding, onCancel }: ImportProgressProps) {
  const { phase, name, received, size, done, all, counts } = state;
  const isSent = phase !== 'uploading';
  const part = isSent ? done / Math.max(all, 1) : received / size;
  const sums = [
    counts.taken && importText.were.taken({ count: counts.taken }),
    counts.pictures && importText.were.pictures({ count: counts.pictures }),
  ];
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="text-xl">
        {TITLES[phase as keyof typeof TITLES]}
      </h2>
      <p className="mt-1 text-base text-soft wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <progress
        aria-label={TITLES[phase as keyof typeof TITLES]}
        max={1}
        value={isSent && all === 0 ? undefined : part}
        className="mt-5 h-1.5 w-full appearance-none overflow-hidden rounded-full bg-hairline [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hairline [&::-webkit-progress-value]:bg-accent"
      />
      <p className="mt-2 text-sm text-soft tabular-nums">
        {[
          isSent
            ? all > 0
              ? importText.progress({ done, all })
              : importText.begins
            : importText.percent({ percent: Math.floor(part * 100) }),
          ...(phase === 'importing' ? sums : []),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p role="status" className="mt-3 min-h-6 text-base text-soft">
        {isEnding ? importText.ending : isSent ? importText.mayLeave : importText.keepOpen}
      </p>
      <Button tone="quiet" className="mt-4" busy={isEnding} onClick={onCancel}>
        {importText.cancel}
      </Button>
    </>
  );
}
