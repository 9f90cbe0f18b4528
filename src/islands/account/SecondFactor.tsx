import { type FormEvent, useEffect, useState } from 'react';
import { encode } from 'uqr';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import type { AppKey } from '#stores/account/second-factor.ts';
import { isSecondFactorOn, newAppKey, renewCodes, switchOff, switchOn } from '#stores/account/second-factor.ts';
import { saveFile } from '../save-file.ts';
import { useWork } from '../use-work.ts';
import { Section } from './Section.tsx';

type Asked = { readonly kind: 'on'; readonly key: AppKey | undefined } | { readonly kind: 'off' | 'codes' };

export function SecondFactor() {
  const [isOn, setOn] = useState<boolean>();
  const [asked, setAsked] = useState<Asked>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { failure, run, setFailure } = useWork(recoveryMessage);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when this part is shown.
  useEffect(() => {
    isSecondFactorOn().then(setOn, (error: unknown) => setFailure(recoveryMessage(error)));
  }, []);

  const begin = () => run('begin', async () => setAsked({ kind: 'on', key: await newAppKey() }));
  const send = async (code: string) => {
    if (asked?.kind === 'on') {
      setCodes(await switchOn(code));
      setOn(true);
    } else if (asked?.kind === 'codes') {
      setCodes(await renewCodes(code, kindOf(code)));
    } else {
      await switchOff(code, kindOf(code));
      setOn(false);
    }
    setAsked(undefined);
  };

  return (
    <Section title={recoveryText.factor} help={recoveryText.factorHelp}>
      <Banner message={failure} className="mb-5 empty:hidden" />
      <p role="status" className="mb-4 min-h-6 text-base">
        {isOn !== undefined && (isOn ? recoveryText.factorOn : recoveryText.factorOff)}
      </p>
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
      {asked && <CodeForm asked={asked} send={send} onCancel={() => setAsked(undefined)} />}
      {!asked && !codes && isOn === false && (
        <Button tone="quiet" onClick={() => void begin()}>
          {recoveryText.switchOn}
        </Button>
      )}
      {!asked && !codes && isOn && (
        <div className="flex flex-wrap gap-3">
          <Button tone="quiet" onClick={() => setAsked({ kind: 'codes' })}>
            {recoveryText.newCodes}
          </Button>
          <Button tone="danger" onClick={() => setAsked({ kind: 'off' })}>
            {recoveryText.switchOff}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** App codes have six digits; recovery codes are longer. */
const kindOf = (code: string) => (/^\s*(?:\d\s*){6}$/.test(code) ? 'totp' : 'recoveryCode');

function CodeForm(props: { asked: Asked; send: (code: string) => Promise<void>; onCancel: () => void }) {
  const { asked, send, onCancel } = props;
  const [code, setCode] = useState('');
  const { busy, failure, run, setFailure } = useWork((error) => recoveryMessage(error, recoveryText.wrongCode));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) void run('send', () => send(code));
    else setFailure(recoveryText.codeRequired);
  };
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      {asked.kind === 'on' && asked.key && (
        <>
          <p className="text-base">{recoveryText.scan}</p>
          <QrCode text={asked.key.uri} />
          <Field label={recoveryText.key} readOnly value={asked.key.secret} onFocus={({ target }) => target.select()} />
        </>
      )}
      <Field
        label={recoveryText.code}
        help={recoveryText.codeHelp}
        error={failure}
        inputMode={asked.kind === 'on' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy !== ''}>
          {recoveryText.confirm}
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          {recoveryText.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Always black on white, even in the dark theme, because scanners need this contrast. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      role="img"
      aria-label={recoveryText.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-56 max-w-full"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  );
}

const codesFile = (codes: readonly string[]): Blob =>
  new Blob([`${recoveryText.codesOf({ site: location.host })}\n\n${codes.join('\n')}\n`], { type: 'text/plain' });

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="rounded-md border border-hairline p-5">
      <h3 className="text-lg">{recoveryText.codes}</h3>
      <p className="mt-1 mb-4 text-base text-soft">{recoveryText.codesHelp}</p>
      <ul className="mb-4 grid list-none grid-cols-2 gap-x-6 gap-y-1 p-0 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          tone="quiet"
          onClick={() => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))}
        >
          {recoveryText.copyCodes}
        </Button>
        <Button tone="quiet" onClick={() => saveFile(codesFile(codes), recoveryText.codesFile)}>
          {recoveryText.saveCodes}
        </Button>
        <Button onClick={onKept}>{recoveryText.codesKept}</Button>
        <p role="status" className="text-base text-soft">
          {copied && recoveryText.codesCopied}
        </p>
      </div>
    </div>
  );
}
